import { type FieldIssue, issueSentence } from "./field-words.ts";

/** A refusal, or an answer that never came. The message is a sentence for people. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  /** HTTP status; 0 when there was no answer. */
  readonly status: number;
  /** The server's `messageCode`, or `no_connection`. */
  readonly code: string;
  readonly issues: readonly FieldIssue[];
  /** What the refusal carries; see the route. */
  readonly data: unknown;

  constructor(
    status: number,
    code: string,
    message: string,
    issues: readonly FieldIssue[] = [],
    data: unknown = undefined,
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.issues = issues;
    this.data = data;
  }
}

/** Returns the refusal of a field that must not be empty, as the server would give it. */
export const emptyField = (path: string): ApiError =>
  new ApiError(400, "validation_failed", "Invalid request", [
    { path, code: "blank", detail: "must not be blank" },
  ]);

export const noConnection = (): ApiError =>
  new ApiError(0, "no_connection", "There is no connection to the server at the moment");

/** Returns the refusal that an answer is. */
export async function errorOf(response: Response): Promise<ApiError> {
  try {
    const { messageCode, message, data } = await response.json();
    return new ApiError(response.status, String(messageCode), String(message), data?.errors ?? [], data);
  } catch {
    return new ApiError(response.status, "unreadable", `The server answered with status ${response.status}`);
  }
}

/** Returns a sentence for people, with the first field's issue where there is one. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof ApiError)) return "Something went wrong. Please try again.";
  const [issue] = error.issues;
  if (issue && error.code === "validation_failed") return issueSentence(issue);
  return /[.!?]$/.test(error.message) ? error.message : `${error.message}.`;
}
