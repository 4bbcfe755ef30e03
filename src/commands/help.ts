import { helpOn } from "../command-line/help.ts";
import type { CommandContext } from "./command.ts";

/** `help`, `--help`: explains the program, the commands of a noun, or one command. */
export function help({ words: [topic = ""], show }: Pick<CommandContext<"help">, "words" | "show">): void {
  show(helpOn(topic));
}
