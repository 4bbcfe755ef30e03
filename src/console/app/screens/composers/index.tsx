/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { can } from "../../api/library.ts";
import { usePages } from "../../api/pages.ts";
import { query, useQuery } from "../../api/queries.ts";
import { href } from "../../first-data.ts";
import { Button } from "../../ui/button.tsx";
import { Check } from "../../ui/field.tsx";
import { ListScreen } from "../../ui/list-screen.tsx";
import { LongTable } from "../../ui/long-table.tsx";
import { counted } from "../../ui/numbers.ts";
import { alike } from "./alike.ts";
import { openMerge } from "./merge.tsx";
import { openNewComposer } from "./new.tsx";
import { type Composer, PROBLEM_WORDS, percent } from "./types.ts";
import "./composers.css";

const COLUMNS = ["Name", "PRO", "IPI", "Publisher", "Tracks", "Missing"] as const;

/** The people who have a part in tracks, with their rights data checked. */
export default function ComposersScreen() {
  const pages = usePages(query("/app/composers", { query: { limit: 200 } }, { composers: "all" }));
  const onlyProblems = useSignal(false);
  const isShown = ({ problems }: Composer) => !onlyProblems.value || problems.length > 0;
  return (
    <ListScreen
      heading="Composers"
      pages={pages}
      {...(can("create:composer") && {
        make: { id: "new-composer", name: "New composer", run: openNewComposer },
      })}
      empty={[
        "Who wrote it?",
        "Add the people behind your tracks once, with society and IPI. Then give each track its shares under Credits.",
      ]}
    >
      {(composers) => (
        <>
          {pages.isWhole && can("update:composer") && <Alike composers={composers} />}
          <Splits />
          <Check
            isOn={onlyProblems.value}
            onChange={(isOn) => {
              onlyProblems.value = isOn;
            }}
          >
            Only incomplete
          </Check>
          <ComposersTable composers={composers.filter(isShown).toSorted(byName)} />
        </>
      )}
    </ListScreen>
  );
}

const byName = (one: Composer, other: Composer) => one.fullName.localeCompare(other.fullName);

const ComposersTable = ({ composers }: { composers: readonly Composer[] }) => (
  <LongTable
    label="Composers"
    class="composers"
    columns={COLUMNS}
    items={composers}
    row={(composer, rowIndex) => <ComposerLine key={composer.id} composer={composer} rowIndex={rowIndex} />}
  />
);

function ComposerLine({ composer, rowIndex }: { composer: Composer; rowIndex: number }) {
  const { id, fullName, artistName, pro, ipi, publisher, trackCount, problems } = composer;
  return (
    <tr aria-rowindex={rowIndex}>
      <td class="composer-name">
        <a class="tap" href={href(`/library/composers/${id}`)}>
          {fullName}
        </a>
        {artistName !== null && <span class="soft"> {artistName}</span>}
      </td>
      <td class="composer-pro">{pro}</td>
      <td class="composer-ipi">{ipi}</td>
      <td class="composer-publisher">{publisher}</td>
      <td class="figure">{trackCount}</td>
      <td class="composer-problems">
        {problems.length === 0 ? (
          <span class="mark good">Complete</span>
        ) : (
          problems.map((problem) => (
            <span key={problem} class="mark warn">
              {PROBLEM_WORDS[problem].short}
            </span>
          ))
        )}
      </td>
    </tr>
  );
}

/** Two that look like one, to be merged by hand. */
function Alike({ composers }: { composers: readonly Composer[] }) {
  const pairs = alike(composers);
  if (pairs.length === 0) return null;
  return (
    <section class="composers-hint" aria-label="Look alike">
      <h2>Are these the same person?</h2>
      <ul>
        {pairs.slice(0, 5).map((pair) => (
          <li key={`${pair[0].id} ${pair[1].id}`}>
            <span>
              {pair[0].fullName} and {pair[1].fullName}
            </span>
            <Button
              look="secondary small"
              label={`Merge ${pair[0].fullName} and ${pair[1].fullName}`}
              run={() => openMerge(pair)}
            >
              Merge…
            </Button>
          </li>
        ))}
      </ul>
      {pairs.length > 5 && <p class="soft">And {pairs.length - 5} more.</p>}
    </section>
  );
}

/** Tracks whose shares do not add up. */
function Splits() {
  const { data } = useQuery(query("/app/splits", {}, { composers: "all", tracks: "all" }));
  const splits = data?.data ?? [];
  if (splits.length === 0) return null;
  return (
    <details class="composers-hint">
      <summary>
        {counted(splits.length, "track")} {splits.length === 1 ? "has" : "have"} splits that do not add up to
        100 %
      </summary>
      <ul aria-label="Splits that do not add up">
        {splits.map(({ trackId, title, total, composers }) => (
          <li key={trackId}>
            <a class="tap" href={href(`/library/tracks/${trackId}?tab=credits`)}>
              {title}
            </a>
            <span class="soft">
              {percent(total)} of 100 %: {composers.join(", ")}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
