import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { transact } from "../../db/client.ts";
import { audit } from "../kernel/audit.ts";
import { SECOND_MS } from "../kernel/time.ts";
import { getAccountByEmail } from "../modules/people/accounts/service.ts";
import {
  checkLedgers,
  currentHead,
  endLogs,
  eraseAbout,
  proveAny,
  stampNewest,
  verifier,
} from "../modules/proof/ledger/service.ts";
import { type Command, RefusedError, UsageError } from "./command.ts";

const STAMP_WAIT_MS = 30 * SECOND_MS;

/** `ledger head`: signs the head of a library's ledger as it is now, has it stamped where TIMESTAMP_URL is set, and prints it. */
export const head: Command<"ledger head"> = async ({ open, options, print }) => {
  const deps = open();
  const { id } = getAccountByEmail(deps, options.email, options.library);
  currentHead(deps, id);
  try {
    await stampNewest(deps, id, AbortSignal.timeout(STAMP_WAIT_MS));
  } catch (error) {
    deps.log("warn", "The head could not be stamped", { error });
  }
  print({ stamp: null, ...currentHead(deps, id) });
};

/** `ledger prove`: prints the proof of a version, a link, a delivery or a submission, or writes it to a file. */
export const proveHere: Command<"ledger prove"> = async ({
  open,
  options,
  words: [id = ""],
  print,
  show,
}) => {
  const deps = open();
  const { id: ownerId } = getAccountByEmail(deps, options.email, options.library);
  const proof = proveAny(deps, ownerId, id);
  if (!proof) throw new RefusedError(`The ledger has nothing to show of ${id}`);
  const text = JSON.stringify(proof);
  if (options.output === undefined) show(text);
  else print({ file: options.output, bytes: await Bun.write(resolve(options.output), text) });
};

/** `ledger verify`: checks a proof, with the audio or without; or all ledgers of the library here. Exit 1 when something does not hold. */
export const verify: Command<"ledger verify"> = async ({
  open,
  options,
  words: [proof, audio],
  print,
  show,
}) => {
  if (proof !== undefined)
    return show(await checkProof(resolve(proof), audio && resolve(audio), options.key));
  if (options.key !== undefined) throw new UsageError("--key is for a proof: name its file");
  let faults = 0;
  const records = checkLedgers(open().db, (fault) => {
    print(fault);
    faults++;
  });
  if (faults > 0) throw new RefusedError(`${faults} ${faults === 1 ? "fault" : "faults"} found`);
  print({ records, faults });
};

async function checkProof(path: string, audio: string | undefined, key: string | undefined): Promise<string> {
  const { check, describe, hashFile, proofIn } = await (await verifier()).loadVerifier();
  try {
    const proof = proofIn(readFileSync(path, "utf8"));
    const file = audio === undefined ? undefined : hashFile(audio);
    check(proof, { file, key });
    return describe(proof, file);
  } catch (error) {
    throw new RefusedError(`NOT VALID: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** `ledger renew`: ends a library's ledger, whose key may have been stolen, and begins a new one. Audited. */
export const renew: Command<"ledger renew"> = ({ open, options, print }) => {
  const deps = open();
  const { id } = getAccountByEmail(deps, options.email, options.library);
  currentHead(deps, id);
  transact(deps.db, (tx) => {
    endLogs(tx, deps.now(), "key_renewed", id);
    audit(tx, { actor: "operator", action: "ledger.renewed", subject: id }, deps.now());
  });
  print(currentHead(deps, id));
};

/** `ledger erase`: erases what a library's records say about something. They stay, and say nothing any more. Audited. */
export const erase: Command<"ledger erase"> = ({ open, options, words: [id = ""], print }) => {
  const deps = open();
  const { id: ownerId } = getAccountByEmail(deps, options.email, options.library);
  const erased = transact(deps.db, (tx) => {
    const records = eraseAbout(tx, ownerId, id);
    if (records > 0)
      audit(tx, { actor: "operator", action: "ledger.erased", subject: id, detail: { records } }, deps.now());
    return records;
  });
  if (erased === 0) throw new RefusedError(`The ledger has nothing to erase of ${id}`);
  print({ erased });
};
