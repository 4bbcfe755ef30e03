import { SCHEMA_VERSION } from "../../db/migrations.ts";
import { PROGRAM } from "../kernel/program.ts";
import type { CommandContext } from "./command.ts";

/** `version`, `--version`, `-v`: the versions of what a report of a fault should name. */
export function version({ show }: Pick<CommandContext<"version">, "show">): void {
  show(JSON.stringify({ version: PROGRAM.version, schema: SCHEMA_VERSION, bun: Bun.version }));
}
