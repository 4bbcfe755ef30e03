import type { SHELLS } from "../command-line/program.ts";
import type { CommandContext } from "./command.ts";

const SCRIPTS: Readonly<Record<(typeof SHELLS)[number], () => Promise<string>>> = {
  bash: async () => (await import("../command-line/completion/bash.ts")).bashCompletion(),
  zsh: async () => (await import("../command-line/completion/zsh.ts")).zshCompletion(),
  fish: async () => (await import("../command-line/completion/fish.ts")).fishCompletion(),
};

/** `completion`: a script for a shell, which completes commands, options and files. */
export async function completion({
  words: [shell],
  show,
}: Pick<CommandContext<"completion">, "words" | "show">): Promise<void> {
  show(await SCRIPTS[shell as keyof typeof SCRIPTS]());
}
