/** A command line that cannot be carried out: exit 2. The message is the way out; it is empty where the usage alone says it. */
export class UsageError extends Error {
  override readonly name = "UsageError";

  /** The usage lines to show; those of the command that runs, where it throws this itself. */
  readonly usage: readonly string[];

  constructor(reason = "", usage: readonly string[] = []) {
    super(reason);
    this.usage = usage;
  }
}
