import { DESCRIPTOR_VERSION } from "../../../../audio/analyzer.ts";
import { PASSAGE_VERSION } from "../../../../audio/descriptors/passages.ts";
import { FAULTS_VERSION } from "../../../../audio/faults/version.ts";
import { EARS_VERSION } from "../../../../ears/tags.ts";
import { PROGRAM } from "../../../../kernel/program.ts";
import { ANALYZER_VERSION } from "../task.ts";

/** Two programs with the same text here measure the same, except for what their ffmpegs do differently. */
export const WORK_VERSION = `${PROGRAM.version} ${ANALYZER_VERSION} ${DESCRIPTOR_VERSION} ${PASSAGE_VERSION} ${FAULTS_VERSION} ${EARS_VERSION}`;
