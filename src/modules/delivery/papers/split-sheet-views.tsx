/** @jsxRuntime automatic @jsxImportSource preact */
import { renderToString } from "preact-render-to-string";
import { dayOf } from "../../../kernel/dates.ts";
import { type PaperFacts, type PaperTrack, publisherIpiOf, sharers } from "./facts.ts";
import { clock, percent } from "./words.ts";

const STYLE = `@page{margin:16mm}
body{font:11pt/1.4 Georgia,'Times New Roman',serif;color:#111;background:#fff;margin:2rem auto;max-width:62rem;padding:0 1rem}
h1{font-size:1.5rem}h2{font-size:1.15rem;margin:2rem 0 .2rem}p{margin:.2rem 0}
section{break-inside:avoid}
table{border-collapse:collapse;width:100%;margin:.5rem 0}
th,td{border:1px solid #888;padding:.35rem .5rem;text-align:left;vertical-align:top}
th{background:#f1f1f1}td.n{text-align:right;white-space:nowrap}td.sign{min-width:9rem;height:2.2rem}
.warn{font-weight:bold}`;

/** Returns the splits of works as a page to print and sign. It has no scripts and loads nothing. */
export function splitSheetPage(facts: PaperFacts): string {
  const html = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>Split sheet</title>
        <style dangerouslySetInnerHTML={{ __html: STYLE }} />
      </head>
      <body>
        <h1>Split sheet</h1>
        <p>
          {dayOf(facts.at)}. The shares of a work’s writers are out of 100 %, and so are those of their
          publishers.
        </p>
        {facts.tracks.map((track) => (
          <Work key={track.trackId} track={track} facts={facts} />
        ))}
      </body>
    </html>
  );
  return `<!doctype html>${renderToString(html)}\n`;
}

const COLUMNS = ["Writer", "Role", "PRO", "IPI", "Share", "Publisher", "E-mail", "Date", "Signature"];

function Work({ track, facts: { sender } }: { track: PaperTrack; facts: PaperFacts }) {
  const writers = sharers(track);
  const sum = writers.reduce((total, { hundredths }) => total + hundredths, 0);
  const said = [
    ["ISWC", track.iswc],
    ["ISRC", track.isrc],
    ["Length", clock(track.durationSec)],
  ].filter(([, value]) => value);
  return (
    <section>
      <h2>
        {track.title}
        {track.artist !== null && ` – ${track.artist}`}
      </h2>
      <p>{said.map(([name, value]) => `${name}: ${value}`).join("   ")}</p>
      {!track.isWhole && (
        <p class="warn">
          {writers.length === 0 ? "No shares are known." : `The shares add up to ${percent(sum)} %.`}
        </p>
      )}
      <table>
        <thead>
          <tr>
            {COLUMNS.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {writers.map((writer) => (
            <tr key={`${writer.composerId} ${writer.role}`}>
              <td>{writer.fullName}</td>
              <td>{writer.role}</td>
              <td>{writer.pro}</td>
              <td>{writer.ipi}</td>
              <td class="n">{percent(writer.hundredths)} %</td>
              <td>{[writer.publisher, publisherIpiOf(writer, sender)].filter(Boolean).join(", IPI ")}</td>
              <td>{writer.email}</td>
              <td />
              <td class="sign" />
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
