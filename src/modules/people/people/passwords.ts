import type { Attempts } from "../../../kernel/attempt-limit.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { inWords } from "../../../kernel/time.ts";

/** Argon2id with OWASP's first recommended parameters (19 MiB, 2 passes): about 30 ms, off the event loop. */
const ARGON2ID = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;
const { memoryCost, timeCost } = ARGON2ID;
/** Hash of an unused password, so that an unknown e-mail address takes as long to check as a wrong password. */
const DECOY_HASH = `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=1$c4qIj3Md7+Yz580l3T0ghyIP0VHl/XmyXkdUzaADhoE$quEjvylhlPv+v9CVddjXOFOiJ5XALyxT1Mw/SbSYR5E`;

/** The most hashes running and waiting together: a second or two of work. */
const MAX_IN_LINE = 32;
const RETRY_AFTER_SEC = 2;

/** Returns the PHC string to store. @throws DomainError `rate_limit_exceeded` when too many hashes are waiting. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => Bun.password.hash(password, ARGON2ID));
}

/**
 * Returns true when `password` matches `hash`. Without a hash it does the same work and returns false. A wrong
 * password counts against `attempts`; a right one clears them.
 *
 * @throws DomainError `rate_limit_exceeded` when no attempt is left or too many hashes are waiting.
 */
export async function provePassword(
  password: string,
  hash: string | undefined,
  attempts: Attempts,
): Promise<boolean> {
  attempts.check(); // a blocked guesser takes no place in the queue
  return inTurn(async () => {
    attempts.check(); // attempts ahead in the queue may have failed meanwhile
    const isRight = (await Bun.password.verify(password, hash ?? DECOY_HASH)) && hash !== undefined;
    if (isRight) attempts.clear();
    else attempts.count();
    return isRight;
  });
}

/**
 * One queue for all hashing in the process, one hash at a time. Hashes run in the process's thread pool, which has one
 * thread per core and also reads and writes files: two hashes at a time would fill it on two cores.
 */
const inTurn = createLine(MAX_IN_LINE);

function createLine(most: number) {
  let inLine = 0;
  let last: Promise<unknown> = Promise.resolve();
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (inLine === most) throw tooMany();
    inLine++;
    const turn = last.then(work);
    last = turn.catch(() => undefined).then(() => void inLine--);
    return turn;
  };
}

function tooMany(): DomainError {
  const words = `Too many passwords at once, try again in ${inWords(RETRY_AFTER_SEC)}`;
  return new DomainError("rate_limit_exceeded", words, {
    headers: { "retry-after": String(RETRY_AFTER_SEC) },
  });
}
