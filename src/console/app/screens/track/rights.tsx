/** @jsxRuntime automatic @jsxImportSource preact */
import "./forms.css";
import { MAX_NOTE, MAX_WORK_NUMBER } from "../../../../modules/library/rights/shapes.ts";
import { api, dataOf } from "../../api/client.ts";
import { ApiError } from "../../api/errors.ts";
import { can } from "../../api/library.ts";
import { changed, query, useQuery } from "../../api/queries.ts";
import type { Body } from "../../api/routes.ts";
import { openPapers } from "../../share/papers.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { Field, SelectField } from "../../ui/field.tsx";
import { KeptField, useKeptFields } from "../../ui/kept-field.tsx";
import { Problem } from "../../ui/problem.tsx";
import { attempt } from "../../ui/toast.tsx";
import type { Track } from "./queries.ts";
import { AI_EXTENTS, AI_PARTS, EXPLICIT, type Rights } from "./rights-words.ts";

type Name = "iswc" | "upc" | "releaseDate" | "pLine" | "cLine" | "workNumber";
type Use = Rights["aiUse"][number];

const FIELDS: readonly { name: Name; label: string; hint?: string; problem?: Rights["problems"][number] }[] =
  [
    { name: "iswc", label: "ISWC", hint: "Of the work: T-034.524.680-1.", problem: "bad_iswc" },
    { name: "upc", label: "UPC or EAN", hint: "Of the release.", problem: "bad_upc" },
    { name: "releaseDate", label: "Release date", hint: "2026, 2026-03 or 2026-03-27." },
    { name: "workNumber", label: "Your work number", hint: "For registrations; left empty, one is made." },
    { name: "pLine", label: "℗ line", hint: "Year and owner of the recording." },
    { name: "cLine", label: "© line", hint: "Year and owner of the work." },
  ];
const WRONG: Readonly<Record<string, string>> = {
  bad_iswc: "The check digit does not fit. Compare it with the certificate.",
  bad_upc: "The check digit does not fit. Compare it with the distributor’s page.",
};

const write = async (trackId: string, body: Body<"PATCH /app/library/tracks/{trackId}/rights">) => {
  await dataOf(api.PATCH("/app/library/tracks/{trackId}/rights", { params: { path: { trackId } }, body }));
  changed("tracks", [trackId]);
};

/** What registrations and deliveries say of the track: identifiers, lines of copyright, and how it was made. */
export function RightsTab({ track, title }: { track: Track; title: string }) {
  const { data, error, refetch } = useQuery(
    query("/app/library/tracks/{trackId}/rights", { path: { trackId: track.id } }, { tracks: [track.id] }),
  );
  if (error) return <Problem error={error} onRetry={refetch} />;
  if (!data) return null;
  return (
    <div class="details">
      {can("update:tracks") ? (
        <RightsForm trackId={track.id} rights={data.data} />
      ) : (
        <RightsList rights={data.data} />
      )}
      <div class="buttons">
        <Button look="secondary" run={() => openPapers({ ids: [track.id] }, title)}>
          Papers…
        </Button>
      </div>
    </div>
  );
}

function RightsForm({ trackId, rights }: { trackId: string; rights: Rights }) {
  const { kept, said } = useKeptFields<Name>(
    `rights ${trackId}`,
    (name) => rights[name] ?? "",
    (name, text) => {
      const problem = problemOf(name, text);
      if (problem !== undefined) throw new ApiError(0, "unreadable", problem);
      return write(trackId, { [name]: text || null });
    },
  );
  return (
    <>
      <div class="details-grid">
        {FIELDS.map(({ name, label, hint, problem }) => {
          const isWrong = problem !== undefined && rights.problems.includes(problem);
          const { error = isWrong ? WRONG[problem] : undefined, ...field } = kept(name);
          return (
            <KeptField
              key={name}
              label={label}
              {...(hint !== undefined && { hint })}
              {...field}
              error={error}
            />
          );
        })}
        <SelectField
          label="Explicit"
          value={rights.explicit ?? ""}
          options={[{ value: "", name: "Not stated" }, ...EXPLICIT]}
          onChange={(value) => attempt(() => write(trackId, { explicit: value === "" ? null : value }))}
        />
      </div>
      <p class="details-said soft" role="status">
        {said}
      </p>
      <HowMade uses={rights.aiUse} onChange={(aiUse) => attempt(() => write(trackId, { aiUse }))} />
    </>
  );
}

function problemOf(name: Name, text: string): string | undefined {
  if (name === "workNumber" && text.length > MAX_WORK_NUMBER)
    return `A work number has at most ${MAX_WORK_NUMBER} characters.`;
  if (name === "releaseDate" && !/^(\d{4}(-\d{2}(-\d{2})?)?)?$/.test(text))
    return "Enter a year, a month or a day: 2026, 2026-03 or 2026-03-27.";
  return undefined;
}

/** For which parts generative tools were used. Each change is saved at once. */
function HowMade({ uses, onChange }: { uses: readonly Use[]; onChange: (uses: Use[]) => void }) {
  const set = (at: number, part: Partial<Use>) =>
    onChange(uses.map((use, index) => (index === at ? { ...use, ...part } : use)));
  const free = AI_PARTS.find(({ value }) => uses.every(({ part }) => part !== value));
  return (
    <section aria-labelledby="how-made">
      <h2 id="how-made" class="rights-heading">
        How it was made
      </h2>
      <p class="soft">
        {uses.length === 0
          ? "Not stated. Say for which parts generative tools were used, or that they were not."
          : "For each part: whether generative tools helped with it, made it, or had no part in it."}
      </p>
      <ul class="how-made" aria-label="How it was made">
        {uses.map((use, at) => (
          <li key={at}>
            <SelectField
              label={`Part ${at + 1}`}
              value={use.part}
              options={AI_PARTS}
              onChange={(part) => set(at, { part })}
            />
            <SelectField
              label={`Extent of part ${at + 1}`}
              value={use.extent}
              options={AI_EXTENTS}
              onChange={(extent) => set(at, { extent })}
            />
            <Field
              label={`Tool of part ${at + 1}`}
              value={use.tool ?? ""}
              maxLength={MAX_NOTE}
              onBlur={({ currentTarget: { value } }) => {
                const tool = value.trim() || null;
                if (tool !== use.tool) set(at, { tool });
              }}
            />
            <IconButton
              label={`Remove part ${at + 1}`}
              icon="trash"
              run={() => onChange(uses.filter((_, index) => index !== at))}
            />
          </li>
        ))}
      </ul>
      <div class="buttons">
        {free && (
          <Button
            look="secondary small"
            icon="add"
            run={() => onChange([...uses, { part: free.value, extent: "assisted", tool: null, note: null }])}
          >
            Add a part
          </Button>
        )}
        {uses.length === 0 && (
          <Button
            look="quiet small"
            run={() =>
              onChange(
                AI_PARTS.filter(({ value }) => value !== "other").map(({ value: part }) => ({
                  ...{ part, extent: "none" as const, tool: null, note: null },
                })),
              )
            }
          >
            None at all
          </Button>
        )}
      </div>
    </section>
  );
}

/** The same for those who may not change it. */
function RightsList({ rights }: { rights: Rights }) {
  const explicit = EXPLICIT.find(({ value }) => value === rights.explicit)?.name ?? "Not stated";
  const made = rights.aiUse.map(
    ({ part, extent, tool }) =>
      `${nameOf(AI_PARTS, part)}: ${nameOf(AI_EXTENTS, extent)}${tool === null ? "" : `, ${tool}`}`,
  );
  const lines = [
    ...FIELDS.map(({ name, label }) => [label, rights[name]] as const),
    ["Explicit", explicit] as const,
    ["How it was made", made.join("; ") || "Not stated"] as const,
  ];
  return (
    <dl class="read-only" aria-label="Rights">
      {lines.flatMap(([label, value]) =>
        value === null
          ? []
          : [
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>,
            ],
      )}
    </dl>
  );
}

const nameOf = (options: readonly { value: string; name: string }[], value: string): string =>
  options.find((option) => option.value === value)?.name ?? value;
