/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { api, dataOf } from "../../api/client.ts";
import { can } from "../../api/library.ts";
import { usePages } from "../../api/pages.ts";
import { changed, query, useQuery } from "../../api/queries.ts";
import { href } from "../../first-data.ts";
import { go } from "../../router.ts";
import { Button } from "../../ui/button.tsx";
import { Combobox } from "../../ui/combobox.tsx";
import { confirmFinal } from "../../ui/dialog.tsx";
import { KeptField, useKeptFields } from "../../ui/kept-field.tsx";
import { counted } from "../../ui/numbers.ts";
import { PlainTable } from "../../ui/plain-table.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Screen, type ScreenProps } from "../../ui/screen.tsx";
import { toast } from "../../ui/toast.tsx";
import { FIELDS, type Name } from "./fields.ts";
import { openMerge } from "./merge.tsx";
import { Suggestions } from "./suggestions.tsx";
import { PROBLEM_WORDS, percent, type WholeComposer } from "./types.ts";
import "./composers.css";

/** One composer: the rights data, and the tracks they have a share of. */
export default function ComposerScreen({ params: { composerId = "" } }: ScreenProps) {
  const { data, error, refetch } = useQuery(
    query("/app/composers/{id}", { path: { id: composerId } }, { composers: "all", tracks: "all" }),
  );
  if (error) return <Problem error={error} onRetry={refetch} />;
  if (!data) return null;
  const composer = data.data;
  return (
    <Screen heading={composer.fullName}>
      {can("update:composer") ? <Rights composer={composer} /> : <RightsList composer={composer} />}
      <Suggestions composer={composer} />
      <Tracks composer={composer} />
      {can("update:composer") && <MergeWith composer={composer} />}
      {can("delete:composer") && (
        <p class="composer-end">
          <Button look="quiet small" run={() => deleteForGood(composer)}>
            Delete composer…
          </Button>
        </p>
      )}
    </Screen>
  );
}

/** Each field is saved when it is left. A note beside it says what is missing or wrong; the value is kept all the same. */
function Rights({ composer }: { composer: WholeComposer }) {
  const { id } = composer;
  const { kept, said } = useKeptFields<Name>(
    `composer ${id}`,
    (name) => composer[name] ?? "",
    async (name, text) => {
      const body = { [name]: text === "" && name !== "fullName" ? null : text };
      await dataOf(api.PATCH("/app/composers/{id}", { params: { path: { id } }, body }));
      changed("composers", [id]);
    },
  );
  return (
    <section class="composer-rights" aria-label="Rights data">
      {FIELDS.map(({ name, label, type, hint, problems }) => {
        const problem = problems.find((each) => composer.problems.includes(each));
        const { error = problem && PROBLEM_WORDS[problem].long, ...field } = kept(name);
        return (
          <KeptField
            key={name}
            label={label}
            {...(type && { type })}
            {...(hint !== undefined && { hint })}
            {...field}
            error={error}
          />
        );
      })}
      <p class="soft kept-said" role="status">
        {said}
      </p>
    </section>
  );
}

/** The rights data, for those who may not change them. */
function RightsList({ composer }: { composer: WholeComposer }) {
  return (
    <dl class="read-only" aria-label="Rights data">
      {FIELDS.filter(({ name }) => composer[name]).map(({ name, label }) => (
        <div key={name}>
          <dt>{label}</dt>
          <dd>{composer[name]}</dd>
        </div>
      ))}
    </dl>
  );
}

function Tracks({ composer: { tracks } }: { composer: WholeComposer }) {
  return (
    <section class="composer-part" aria-labelledby="composer-tracks">
      <h2 id="composer-tracks">Tracks</h2>
      {tracks.length === 0 && (
        <p class="soft">No shares yet. Give composers their shares under Credits, on a track.</p>
      )}
      {tracks.length > 0 && (
        <PlainTable
          label="Shares"
          columns={["Track", "Artist", "Role", "Share", "Split"]}
          figures={["Share"]}
        >
          {tracks.map(({ trackId, title, artist, role, share, total }) => (
            <tr key={`${trackId} ${role}`}>
              <th scope="row">
                <a class="tap" href={href(`/library/tracks/${trackId}?tab=credits`)}>
                  {title}
                </a>
              </th>
              <td data-label="Artist">{artist ?? "–"}</td>
              <td data-label="Role">{role}</td>
              <td class="figure" data-label="Share">
                {percent(share)}
              </td>
              <td data-label="Split">
                <span class={total === 100 ? "mark good" : "mark warn"}>
                  {total === 100 ? "Adds up" : `${percent(total)} of 100 %`}
                </span>
              </td>
            </tr>
          ))}
        </PlainTable>
      )}
    </section>
  );
}

/** Another entry of the same person, chosen by hand. */
function MergeWith({ composer }: { composer: WholeComposer }) {
  const text = useSignal("");
  const { items } = usePages(query("/app/composers", { query: { limit: 200 } }, { composers: "all" }));
  const sought = text.value.trim().toLowerCase();
  const others = (items ?? []).filter(
    ({ id, fullName }) => id !== composer.id && fullName.toLowerCase().includes(sought),
  );
  if (!items || items.length < 2) return null;
  return (
    <section class="composer-part" aria-labelledby="composer-merge">
      <h2 id="composer-merge">The same person twice?</h2>
      <div class="composer-merge">
        <Combobox
          label="Merge with"
          text={text}
          placeholder="Name of the other entry"
          options={others.slice(0, 8).map(({ id, fullName, pro }) => ({
            id,
            text: fullName,
            ...(pro && { hint: pro }),
          }))}
          nothing="No composer has this name"
          onChoose={({ id }) => {
            text.value = "";
            const other = items.find((each) => each.id === id);
            if (other)
              openMerge([composer, other], (keptId) => go(`/library/composers/${keptId}`, { replace: true }));
          }}
        />
      </div>
    </section>
  );
}

async function deleteForGood({ id, fullName, trackCount }: WholeComposer): Promise<void> {
  const why = trackCount > 0 ? `Their shares of ${counted(trackCount, "track")} are deleted too.` : undefined;
  if (!(await confirmFinal(`Delete ${fullName} for good?`, "Delete", why))) return;
  await api.DELETE("/app/library/composers", { params: { query: { id } } });
  changed("composers", null);
  go("/library/composers", { replace: true });
  toast(`${fullName} was deleted`);
}
