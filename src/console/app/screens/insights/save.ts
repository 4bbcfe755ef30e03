import { clock } from "../../player/time.ts";
import { whyOf } from "../../share/left-out.tsx";
import { saveTable } from "../../ui/csv.ts";
import { percent } from "../../ui/numbers.ts";
import type { Insights } from "./insights.ts";

/** Saves what the screen shows as one table: each part begins with its head, after an empty line. */
export function saveInsights(insights: Insights): void {
  const { since, until } = insights.range;
  saveTable(`Insights ${since} to ${until}`, [
    ["From", "To", "Plays", "Plays before", "Views", "Downloads", "Comments"],
    ...insights.series.map(({ from, to, plays, playsBefore, views, downloads, comments }) => [
      from,
      to,
      ...[plays, playsBefore ?? "", views, downloads, comments].map(String),
    ]),
    [],
    [
      "Track",
      "Artist",
      "Plays",
      "Plays before",
      "Listeners",
      "Heard",
      "To the end",
      "Most stop at",
      "Stopped there",
    ],
    ...insights.tracks.map((track) => [
      track.title,
      track.artist ?? "",
      String(track.plays),
      String(track.playsBefore ?? ""),
      String(track.listeners),
      track.heardShare === null ? "" : percent(track.heardShare),
      String(track.finished),
      track.stop ? clock(track.stop.atSec) : "",
      String(track.stop?.listeners ?? ""),
    ]),
    [],
    ["Person", "Plays", "Tracks", "Seconds heard", "Stopped at", "Last here"],
    ...insights.people.map(({ name, plays, tracks, heardSec, stopped, lastAt }) => [
      name,
      String(plays),
      String(tracks),
      String(heardSec),
      stopped ? `${stopped.title} ${clock(stopped.atSec)}` : "",
      lastAt,
    ]),
    [],
    ["Not opened yet", "What", "Link", "Made"],
    ...insights.notOpened.map(({ recipient, name, url, sentAt }) => [
      recipient ?? "",
      name ?? "",
      url,
      sentAt,
    ]),
    [],
    ["Not counted", "Times"],
    ...insights.notCounted.map(({ reason, count }) => [whyOf(reason), String(count)]),
  ]);
}
