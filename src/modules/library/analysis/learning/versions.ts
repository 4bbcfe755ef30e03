import { DESCRIPTOR_VERSION } from "../../../../audio/descriptors/descriptors.ts";

/** Raise this when the same recording would get other priors. */
export const RULES_VERSION = "rules-9";

/** Must change whenever the same examples would train a different model. */
export const TRAINING_VERSION = "2";

/** The versions that stored parameters depend on; models with another basis are trained again. */
export const BASIS = `${RULES_VERSION} ${DESCRIPTOR_VERSION} ${TRAINING_VERSION}`;
