import { manualPage } from "../command-line/man.ts";
import type { CommandContext } from "./command.ts";

/** `man`: the manual page, as packaging/dubplate.1 has it. */
export function man({ show }: Pick<CommandContext<"man">, "show">): void {
  show(manualPage());
}
