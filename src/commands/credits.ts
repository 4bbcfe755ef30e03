import { changeCredits, type Named } from "../modules/people/accounts/service.ts";
import { type Command, type CommandContext, RefusedError, UsageError } from "./command.ts";

/** `credits set`: sets the credits that an account has left for searches. */
export const setCredits: Command<"credits set"> = ({ options: { amount, ...named }, ...context }) => {
  if (amount === "unlimited") return change(context, named, { set: null });
  if (!/^-?\d+$/.test(amount)) throw new UsageError("--amount must be a whole number, or unlimited");
  const set = Number(amount);
  if (set < 0) throw new RefusedError("Credits cannot be below zero");
  change(context, named, { set });
};

/** `credits add`: adds to them. */
export const addCredits: Command<"credits add"> = ({ options: { amount, ...named }, ...context }) =>
  change(context, named, { add: amount });

function change(
  { open, print }: Pick<CommandContext, "open" | "print">,
  named: Named,
  by: Parameters<typeof changeCredits>[2],
): void {
  const left = changeCredits(open(), named, by);
  print({ email: named.email.trim().toLowerCase(), credits: left ?? "unlimited" });
}
