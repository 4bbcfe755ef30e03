import { changeCredits } from "../modules/people/accounts/service.ts";
import { type Command, type CommandContext, RefusedError, UsageError } from "./command.ts";

/** `credits set`: sets the credits that an account has left for searches. */
export const setCredits: Command<"credits set"> = ({ options: { email, amount }, ...context }) => {
  if (amount === "unlimited") return change(context, email, { set: null });
  if (!/^-?\d+$/.test(amount)) throw new UsageError("--amount must be a whole number, or unlimited");
  const set = Number(amount);
  if (set < 0) throw new RefusedError("Credits cannot be below zero");
  change(context, email, { set });
};

/** `credits add`: adds to them. */
export const addCredits: Command<"credits add"> = ({ options: { email, amount }, ...context }) =>
  change(context, email, { add: amount });

function change(
  { open, print }: Pick<CommandContext, "open" | "print">,
  email: string,
  by: Parameters<typeof changeCredits>[2],
): void {
  const left = changeCredits(open(), email, by);
  print({ email: email.trim().toLowerCase(), credits: left ?? "unlimited" });
}
