/** Methods whose request says what a thing is from then on, however often it is sent. */
const STATES = ["PUT", "PATCH", "DELETE"];
const ID = /\b[a-z]+_[\da-f]{32}\b/;

/** A change to send. */
type Wanted = { request: Request; body: string | undefined; bytes: number; send: () => Promise<Response> };
/** A change, from when it was made until its answer is there. */
type Change = Wanted & {
  isSent: boolean;
  answer: PromiseWithResolvers<Response>;
  /** Changes that are not sent since this one says all that they say. */
  covered: PromiseWithResolvers<Response>[];
};

/** Changes without an answer, by the thing that they change. */
const lanes = new Map<string, Change[]>();
let isLeaving = false;

/** Returns the bytes of all requests that have no answer yet. */
export const bytesOnTheWay = (): number =>
  [...lanes.values()].flat().reduce((sum, { bytes }) => sum + bytes, 0);

/** True while a change has no answer. */
export const isChanging = (): boolean => lanes.size > 0;

/**
 * Sends a change when those of the same thing that were made before it have their answers, so that the last one stays. Of
 * changes that wait, one that a later one repeats is left out. When the page is left, those that wait are sent at once.
 */
export function inTurn(wanted: Wanted): Promise<Response> {
  const thing = thingOf(wanted.request.url);
  const change: Change = { ...wanted, isSent: false, answer: Promise.withResolvers(), covered: [] };
  const before = lanes.get(thing) ?? [];
  const left = before.filter((earlier) => earlier.isSent || !covers(change, earlier));
  for (const earlier of before)
    if (!left.includes(earlier)) change.covered.push(earlier.answer, ...earlier.covered);
  lanes.set(thing, [...left, change]);
  sendNext(thing);
  return change.answer.promise;
}

function sendNext(thing: string): void {
  const lane = lanes.get(thing) ?? [];
  for (const change of isLeaving ? lane : lane.slice(0, 1)) if (!change.isSent) void sendOne(thing, change);
}

async function sendOne(thing: string, change: Change): Promise<void> {
  const { answer, covered } = change;
  change.isSent = true;
  try {
    const response = await change.send();
    for (const other of covered) other.resolve(response.clone());
    answer.resolve(response);
  } catch (thrown) {
    for (const other of [...covered, answer]) other.reject(thrown);
  }
  const rest = (lanes.get(thing) ?? []).filter((each) => each !== change);
  if (rest.length > 0) lanes.set(thing, rest);
  else lanes.delete(thing);
  sendNext(thing);
}

/** The first id in an address names the thing changed: a track, a playlist, a link. */
function thingOf(url: string): string {
  return ID.exec(url)?.[0] ?? new URL(url).pathname;
}

/** True when nothing of the earlier change is left after the later one. */
function covers(later: Change, earlier: Change): boolean {
  const [method, before] = [later.request.method, earlier.request.method];
  if (later.request.url !== earlier.request.url) return false;
  if (!STATES.includes(method) || !STATES.includes(before)) return false;
  if (method !== "PATCH") return true;
  const said = keysOf(later);
  return before === "PATCH" && keysOf(earlier).every((key) => said.includes(key));
}

const keysOf = ({ body = "{}" }: Change): string[] => Object.keys(JSON.parse(body));

// What fields save as the page is left comes after this, and is not kept waiting either.
addEventListener("pagehide", () => {
  isLeaving = true;
  for (const thing of lanes.keys()) sendNext(thing);
});
addEventListener("pageshow", () => {
  isLeaving = false;
});
