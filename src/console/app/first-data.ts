import { firstRequests, matchScreen } from "../shared/addresses.ts";

/** What the server puts into the document; `FirstData` of `shell.tsx`. */
type FirstData = {
  root: string;
  account: { id: string; name: string; email: string };
  answers: readonly unknown[];
};

const data: FirstData = JSON.parse(document.getElementById("first-data")?.textContent ?? "{}");

/** The path that every address of this server begins with: `""`, or `/music` behind a proxy. */
export const root = data.root;

/** Who was signed in when the document was made. */
export const account = data.account;

/** When the first data were read, in epoch milliseconds. */
export const firstDataAt = Date.now();

/** Returns a path of this server as a browser asks for it. */
export const href = (path: string): string => root + path;

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
