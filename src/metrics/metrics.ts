import type { Front } from "../http/front/front.ts";
import { stateOf } from "../http/request-state.ts";
import type { Deps } from "../kernel/deps.ts";
import { setMeter } from "../kernel/meter.ts";
import { createCounts } from "./counts.ts";
import { createLag } from "./lag.ts";
import { routeName, templateFinder } from "./templates.ts";

/** The metrics of a server, counted from its start. */
export type Metrics = {
  /** Returns the front door, which from then on counts its requests. */
  countedDoor: (front: Front, routes: readonly { path: string }[]) => Front;
  /** Returns everything in Prometheus' text format. */
  text: () => Promise<string>;
};

/** What only the server knows. */
export type ServerState = {
  /** Requests whose answer has not been sent to its end; undefined where nothing listens. */
  pending: (() => number) | undefined;
  /** Open streams of events. */
  eventStreams: () => number;
};

/** Begins to count what happens in a library. Returns undefined, and counts nothing, without METRICS_TOKEN. */
export function createMetrics(deps: Deps, server: ServerState): Metrics | undefined {
  if (deps.settings.metricsToken === undefined) return undefined;
  const counts = createCounts();
  const lag = createLag();
  let handling = 0;
  setMeter(deps.db, counts.note);

  const countedDoor: Metrics["countedDoor"] = (front, routes) => {
    const templateOf = templateFinder(routes);
    const answered = (request: Request, response: Response): Response => {
      handling--;
      counts.answer(request, response, routeName(stateOf(request).route ?? templateOf(request.url)));
      return response;
    };
    return (request, peer, socket) => {
      handling++;
      const response = front(request, peer, socket);
      return response instanceof Promise
        ? response.then((each) => answered(request, each))
        : answered(request, response);
    };
  };
  return {
    countedDoor,
    async text() {
      const streams = server.eventStreams();
      const sending = Math.max(0, (server.pending?.() ?? 0) - handling - streams);
      const { libraryText, processText } = await import("./gauges.ts");
      return [
        counts.text(),
        processText({ sending, streams, lagSeconds: lag.worst() }),
        await libraryText(deps, counts.jobNames),
      ].join("");
    },
  };
}
