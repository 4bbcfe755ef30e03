import type { LibraryId } from "../../../../db/schema.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { lyricsFiles } from "../../library/lyrics/service.ts";
import type { ListReadiness } from "../../library/readiness/shapes.ts";
import { proveVersions, verifier, witnessed } from "../../proof/ledger/service.ts";
import { papersFor } from "../papers/service.ts";
import type { Release, Song } from "./known.ts";
import type { Layout } from "./layout.ts";
import { readinessPaper } from "./readiness-paper.ts";
import type { Options, Profile } from "./shapes.ts";

/** A text of a package, by its path there. */
export type PlannedText = { path: string; text: string };

type TextDeps = Pick<Deps, "db" | "now" | "secrets" | "settings">;

/** What texts are made from. */
export type Described = {
  ownerId: LibraryId;
  profile: Profile;
  release: Release;
  options: Options;
  songs: readonly Song[];
  readiness: ListReadiness;
  madeAt: number;
  /** Whoever delivers sees splits: without, there are no papers that have any. */
  seesSplits: boolean;
};

/** Returns the words of songs as files, with times where they have some. */
export function lyricsTexts({ db }: TextDeps, layout: Layout, { songs, options }: Described): PlannedText[] {
  if (options.lyrics === false) return [];
  const words = new Map(lyricsFiles(db, songs).map((each) => [each.trackId, each]));
  return songs.flatMap((song, at) => {
    const { txt, lrc } = words.get(song.trackId) ?? {};
    const path = (extension: string) => layout.beside("lyrics", song, at + 1, extension);
    return [
      ...(txt === undefined ? [] : [{ path: path(".txt"), text: txt }]),
      ...(lrc === undefined ? [] : [{ path: path(".lrc"), text: lrc }]),
    ];
  });
}

/** Returns the papers: those of rights, and what was checked. */
export function paperTexts({ db }: TextDeps, layout: Layout, described: Described): PlannedText[] {
  const { ownerId, profile, release, songs, options, madeAt: at, seesSplits } = described;
  const wanted = options.papers && new Set<string>(options.papers);
  const ids = [...new Set(songs.map(({ trackId }) => trackId))];
  const papers = seesSplits ? papersFor(db, ownerId, ids, { profile, at, release }) : [];
  const readiness = {
    name: "readiness.html",
    text: readinessPaper({ ...described, witnessed: witnessed(db, ownerId) }),
  };
  return [...papers, readiness]
    .filter(
      ({ name }) => !wanted || wanted.has(name) || (wanted.has("registration") && /^CW.*\.V2\d$/.test(name)),
    )
    .map(({ name, text }) => ({ path: layout.named(`papers/${name}`), text }));
}

/** Returns what the ledger proves of each version, and the program that verifies it. */
export async function proofTexts(
  deps: TextDeps,
  layout: Layout,
  { ownerId, songs, options }: Described,
): Promise<PlannedText[]> {
  if (options.proof === false) return [];
  const known = proveVersions(
    deps,
    ownerId,
    songs.map(({ versionId }) => versionId),
  );
  const proofs = songs.flatMap((song, at) => {
    const proof = known.get(song.versionId);
    const path = () => layout.beside("proof", song, at + 1, ".proof.json");
    return proof ? [{ path: path(), text: `${JSON.stringify(proof, null, 2)}\n` }] : [];
  });
  if (proofs.length === 0) return [];
  const { VERIFIER, VERIFIER_NAME } = await verifier();
  return [...proofs, { path: layout.named(`proof/${VERIFIER_NAME}`), text: VERIFIER }];
}
