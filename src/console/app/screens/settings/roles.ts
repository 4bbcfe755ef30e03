import type { CurrentLibrary } from "../../../../modules/people/people/shapes.ts";

type Role = CurrentLibrary["role"];

/** What each role is called, and what it is for. */
export const ROLE_WORDS: Readonly<Record<Role, { name: string; sentence: string }>> = {
  owner: {
    name: "Owner",
    sentence:
      "One per library. Everything, and the only one who can appoint managers or hand the library over.",
  },
  manager: {
    name: "Manager",
    sentence: "Everything except appointing managers and handing the library over.",
  },
  producer: {
    name: "Producer",
    sentence: "Adds and changes music, playlists and links, and works with briefs.",
  },
  artist: {
    name: "Artist",
    sentence: "Listens, comments, sends music in and makes playlists of their own.",
  },
  listener: { name: "Listener", sentence: "Listens and comments. Gets no original files." },
};

/** Roles that somebody can be given: a library has one owner, who hands it over. */
export type GivenRole = Exclude<Role, "owner">;
export const GIVEN_ROLES: readonly GivenRole[] = ["manager", "producer", "artist", "listener"];

/** True when a role sees splits and who listened whatever its switches say. */
export const seesEverything = (role: Role): boolean => role === "owner" || role === "manager";
