/** @jsxRuntime automatic @jsxImportSource preact */
import "./forms.css";
import "./tags.css";
import { PlainTable } from "../../ui/plain-table.tsx";
import { FIELDS, LONG, type Name } from "./details.tsx";
import type { Track } from "./queries.ts";
import { CATEGORIES, namesOf } from "./tag-categories.ts";

/** The tags of the track, for those who may not change them. */
export function TagList({ track }: { track: Track }) {
  const groups = CATEGORIES.map(({ id, name }) => ({ name, tags: namesOf(track, id) }));
  const known = groups.filter(({ tags }) => tags.length > 0);
  if (known.length === 0) return <p class="soft">This track has no tags yet.</p>;
  return (
    <dl class="read-only">
      {known.map(({ name, tags }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{tags.join(", ")}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Who made the track, and their shares of it, for those who may not change them. */
export function CreditList({ track: { shareholderTracks } }: { track: Track }) {
  if (shareholderTracks.length === 0) return <p class="soft">This track has no credits yet.</p>;
  return (
    <PlainTable label="Credits" columns={["Composer", "Role", "Share"]}>
      {shareholderTracks.map(({ share, role, shareholder }, at) => (
        <tr key={at}>
          <th scope="row">{shareholder.fullName}</th>
          <td data-label="Role">{role}</td>
          <td data-label="Share">{share} %</td>
        </tr>
      ))}
    </PlainTable>
  );
}

const MEASURED: readonly { name: Name; label: string }[] = [
  { name: "bpm", label: "BPM" },
  { name: "key", label: "Key" },
];

/** The details of the track, for those who may not change them. */
export function DetailList({ track: { audio_profile } }: { track: Track }) {
  const known = [...FIELDS, ...MEASURED, ...LONG].filter(({ name }) => audio_profile[name]);
  if (known.length === 0) return <p class="soft">This track has no details yet.</p>;
  return (
    <dl class="read-only">
      {known.map(({ name, label }) => (
        <div key={name}>
          <dt>{label}</dt>
          <dd>{String(audio_profile[name])}</dd>
        </div>
      ))}
    </dl>
  );
}
