import { ApiError } from "../api/errors.ts";
import { newName } from "../uploads/tabs.ts";

/** Names of requests without an answer, by what they carry. */
const names = new Map<string, string>();

/**
 * Makes a request that must not be made twice. When its answer is lost, the same request gets that answer later.
 *
 * @param what What it carries.
 */
export async function once<Result>(
  what: object,
  make: (headers: { "idempotency-key": string }) => Promise<Result>,
): Promise<Result> {
  const key = JSON.stringify(what);
  const name = names.get(key) ?? newName();
  names.set(key, name);
  try {
    const result = await make({ "idempotency-key": name });
    names.delete(key);
    return result;
  } catch (thrown) {
    if (isAnswer(thrown)) names.delete(key);
    throw thrown;
  }
}

const isAnswer = (thrown: unknown): boolean =>
  thrown instanceof ApiError &&
  thrown.status >= 400 &&
  thrown.status < 500 &&
  thrown.code !== "idempotency_in_progress";
