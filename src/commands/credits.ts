import { changeCredits } from "../modules/people/accounts/service.ts";
import { type Command, RefusedError, readOptions, UsageError, wholeNumber } from "./command.ts";

const SET = "dubplate credits set --email E --amount N|unlimited";
const ADD = "dubplate credits add --email E --amount N";

/** `credits set`, `credits add`: sets the credits that an account has left for searches. */
export const credits: Command = ({ open, args: [verb, ...args], print }) => {
  if (verb !== "set" && verb !== "add") throw new UsageError(`${SET}\n${ADD}`);
  const usage = verb === "set" ? SET : ADD;
  const { email = "", amount = "" } = readOptions(args, usage, { required: ["email", "amount"] });
  const isUnlimited = verb === "set" && amount === "unlimited";
  const number = isUnlimited ? null : wholeNumber(amount, usage);
  if (verb === "set" && number !== null && number < 0) throw new RefusedError("Credits cannot be below zero");
  const left = changeCredits(open(), email, verb === "set" ? { set: number } : { add: number ?? 0 });
  print({ email: email.trim().toLowerCase(), credits: left ?? "unlimited" });
};
