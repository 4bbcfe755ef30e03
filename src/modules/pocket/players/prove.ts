import type { LibraryId } from "../../../../db/schema.ts";
import { mayDo, type OnBehalf } from "../../../kernel/actor.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { isSameBytes, sha256 } from "../../../kernel/secrets.ts";
import { allowedToMaker, onBehalfOf } from "../../people/team/service.ts";
import * as queries from "./queries.ts";
import { openSecret, sealSecret } from "./sealed.ts";
import { grouped, ungrouped } from "./secret.ts";

/** What a music app shows of its password: itself, or, with a salt of its choice, an MD5 in lower-case hex. */
export type Shown = { secret: string } | { token: string; salt: string };

/** A music app that proved who it is, and whom it acts for. */
export type Player = OnBehalf & {
  playerId: string;
  accountId: LibraryId;
  name: string;
  username: string;
  /** What the app that called last said it is. */
  client: string | null;
  /** What it is sent. `small` also where its person may no longer have original files. */
  sound: "small" | "original";
};

/** Compared against when there is no such user name. */
const NO_SECRET_HASH = Buffer.alloc(32);

/**
 * Returns the music app with a user name that shows the right password; undefined otherwise, whatever the reason: the name or the
 * password is wrong, it was removed, its library is disabled or lets no apps in, its person is no longer in the library. An unknown
 * name takes as long as a wrong password. It reads the row every time, so a removed app is refused on its next request.
 */
export function provePlayer(
  deps: Pick<Deps, "db" | "now" | "secrets">,
  username: string,
  shown: Shown,
): Player | undefined {
  const proof = queries.findPlayerProof(deps.db, username);
  const isRight = "secret" in shown ? isSecret(proof, shown.secret) : isToken(deps, proof, shown);
  if (!proof || !isRight || proof.revokedAt !== null) return undefined;
  if (proof.isAccountActive === 0 || proof.isLetIn === 0) return undefined;
  const allowed = allowedToMaker(proof, deps.now());
  if (allowed === null) return undefined;
  const who = onBehalfOf(proof, allowed);
  if (!mayDo(who, "read:tracks")) return undefined;
  const { id: playerId, accountId, name, username: known, client, sound } = proof;
  const mayHaveOriginals = mayDo(who, "download:originals");
  return {
    playerId,
    accountId,
    name,
    username: known,
    client,
    sound: mayHaveOriginals ? sound : "small",
    ...who,
  };
}

function isSecret(proof: queries.PlayerProof | null, typed: string): boolean {
  return isSameBytes(sha256(ungrouped(typed)), proof?.secretHash ?? NO_SECRET_HASH);
}

/** The groups are part of what the app hashes where a person typed them. */
function isToken(
  deps: Pick<Deps, "secrets">,
  proof: queries.PlayerProof | null,
  { token, salt }: { token: string; salt: string },
): boolean {
  // Sealing takes as long as opening.
  if (!proof) sealSecret(deps.secrets, "plr_none", "0".repeat(20));
  const secret = proof ? openSecret(deps, proof) : undefined;
  const typed = secret ?? "0".repeat(20);
  const matches = [typed, grouped(typed), grouped(typed, " ")].filter((each) =>
    isSameBytes(Buffer.from(md5(each + salt)), Buffer.from(token.toLowerCase())),
  );
  return secret !== undefined && matches.length > 0;
}

const md5 = (text: string): string => new Bun.CryptoHasher("md5").update(text).digest("hex");
