/** A field that the server did not accept. */
export type FieldIssue = { path: string; detail: string };

/** A refusal, or an answer that never came. The message is a sentence for people. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  /** HTTP status; 0 when there was no answer. */
  readonly status: number;
  /** The server's `messageCode`, or `no_connection`. */
  readonly code: string;
  readonly issues: readonly FieldIssue[];

  constructor(status: number, code: string, message: string, issues: readonly FieldIssue[] = []) {
    super(message);
    this.status = status;
    this.code = code;
    this.issues = issues;
  }
}

export const noConnection = (): ApiError =>
  new ApiError(0, "no_connection", "There is no connection to the server at the moment");

/** Returns the refusal that an answer is. */
export async function errorOf(response: Response): Promise<ApiError> {
  try {
    const { messageCode, message, data } = await response.json();
    return new ApiError(response.status, String(messageCode), String(message), data?.errors ?? []);
  } catch {
    return new ApiError(response.status, "unreadable", `The server answered with status ${response.status}`);
  }
}

/** Returns a sentence for people, with the first field's issue where there is one. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof ApiError)) return "Something went wrong. Please try again.";
  const [issue] = error.issues;
  const text =
    issue && error.code === "validation_failed" ? `${nameOf(issue.path)} ${issue.detail}` : error.message;
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

const nameOf = (path: string) => {
  const last = path.split(".").findLast((part) => !/^\d+$/.test(part)) ?? "This";
  return last.charAt(0).toUpperCase() + last.slice(1);
};
