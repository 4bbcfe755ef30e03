import type { CurrentLibrary, OwnLibrary } from "../../modules/people/people/shapes.ts";
import { firstRequests, matchScreen } from "../shared/addresses.ts";

/** What the server puts into the document; `FirstData` of `shell.tsx`. */
type FirstData = {
  root: string;
  account: { id: string; name: string; email: string };
  library: CurrentLibrary;
  libraries: readonly OwnLibrary[];
  mayFound: boolean;
  ways: { passkeys: boolean; provider: string | null; passwords: boolean };
  sendsMail: boolean;
  seq: string;
  answers: readonly unknown[];
};

const data: FirstData = JSON.parse(document.getElementById("first-data")?.textContent ?? "{}");

/** The path that every address of this server begins with: `""`, or `/music` behind a proxy. */
export const root = data.root;

/** False in the document for times without a connection: it is of nobody, and has no screens. */
export const hasScreens = data.account?.id !== "";

/** Who was signed in when the document was made. */
export const account = data.account;

/** The library of this tab, and what the person could do in it when the document was made; see `api/library.ts`. */
export const firstLibrary = data.library;

/** Every library of the person, the one joined first first. */
export const libraries = data.libraries;

/** True when the person may found another library on this server. */
export const mayFound = data.mayFound;

/** How people may sign in on this server, beside a password. */
export const ways = data.ways;

/** True where the server sends mails. Elsewhere nothing in the console speaks of it. */
export const sendsMail = data.sendsMail;

/** The account's last change that the document knows of; see `api/live.ts`. */
export const firstSeq = data.seq;

/** When the first data were read, in epoch milliseconds. */
export const firstDataAt = Date.now();

/** Names the library in addresses; a person with one library needs no such name. */
export const IN = "in";
const isSeveral = (data.libraries ?? []).length > 1;

/** Returns a path of this server as a browser asks for it. An address of the console opens in the library of this tab. */
export const href = (path: string): string =>
  /^\/library(?=[/?]|$)/.test(path) ? hrefInside(path) : root + path;

/** As {@link href}, for what sends no header fields: streams and downloads. */
export const hrefInside = (path: string): string =>
  isSeveral ? `${root}${path}${path.includes("?") ? "&" : "?"}${IN}=${data.library.id}` : root + path;

/** Returns the address at which the console opens in a library. */
export const hrefOfLibrary = (id: string): string => `${root}/library?${IN}=${id}`;

/**
 * Returns the address of a sound or a picture, as the API gives it, at this server: the policy allows nothing from another
 * origin, and the API may have an address of its own.
 */
export const samePlace = (address: string): string =>
  address.replace(/^.*(?=\/(artwork\/[^/]+|media\/(renditions\/)?[^/]+\/[^/]+)$)/, root);

const match = matchScreen(location.pathname.slice(root.length));
const requests = match ? firstRequests(match, new URLSearchParams(location.search)) : [];
const answers = new Map(requests.map((request, index) => [request, data.answers[index] ?? undefined]));

/** Returns the answer that came with the document, for a request such as `/app/shares?limit=50`. */
export const firstAnswer = (request: string): unknown => answers.get(request);
