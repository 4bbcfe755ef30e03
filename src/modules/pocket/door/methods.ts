import { ACCOUNT, EMPTY } from "./account.ts";
import { ALIKE } from "./alike.ts";
import { BROWSING, type Method } from "./browse.ts";
import { FINDING } from "./find.ts";
import { PLAYLISTS } from "./playlists.ts";
import { scrobble } from "./scrobble.ts";
import { STARRED } from "./starred.ts";
import { WORDS } from "./words.ts";

/** The methods that answer with data, by their names. Those that answer with files are routes. */
export const METHODS: ReadonlyMap<string, Method> = new Map<string, Method>(
  Object.entries({
    ...ACCOUNT,
    ...BROWSING,
    ...FINDING,
    ...PLAYLISTS,
    ...STARRED,
    ...ALIKE,
    ...WORDS,
    ...EMPTY,
    scrobble,
  }),
);
