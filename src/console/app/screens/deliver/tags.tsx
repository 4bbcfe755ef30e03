/** @jsxRuntime automatic @jsxImportSource preact */
import { queryAt, useQuery } from "../../api/queries.ts";
import type { Answer } from "../../api/routes.ts";
import { PlainTable } from "../../ui/plain-table.tsx";
import { Problem } from "../../ui/problem.tsx";

type Tags = Answer<"GET /app/deliveries/{deliveryId}/tags">;

/** The tags of a file: what it says now, and what its copy will say. */
export function TagsOf({ deliveryId, path }: { deliveryId: string; path: string }) {
  const at = `/app/deliveries/${deliveryId}/tags?${new URLSearchParams({ path })}`;
  const { data, error, refetch } = useQuery(queryAt<Tags>(at, {}));
  const name = path.slice(path.lastIndexOf("/") + 1);
  return (
    <section class="deliver-part">
      <h3>Tags of {name}</h3>
      <Problem error={error} onRetry={refetch} />
      {data?.data.fields.length === 0 && <p class="soft">Nothing is known of this file.</p>}
      {data && data.data.fields.length > 0 && (
        <PlainTable label={`Tags of ${name}`} columns={["Field", "In the file now", "In the package"]}>
          {data.data.fields.map(({ field, now, inPackage, isChanged, reason }) => (
            <tr key={field} class={isChanged ? "deliver-changed" : undefined}>
              <th scope="row">{field}</th>
              <td data-label="In the file now">
                <span class="deliver-value">{now ?? "none"}</span>
              </td>
              <td data-label="In the package">
                <span class="deliver-value">{inPackage ?? "none"}</span>
                {isChanged && <span class="deliver-mark">{inPackage === null ? "removed" : "changed"}</span>}
                {reason !== null && <span class="soft"> {REASONS[reason] ?? "It cannot be written."}</span>}
              </td>
            </tr>
          ))}
        </PlainTable>
      )}
    </section>
  );
}

const REASONS: Readonly<Record<string, string>> = {
  no_place: "This format has no place for it.",
  too_large: "It is larger than this format can hold.",
  not_valid: "It is not what the field may contain.",
  object_audio: "The file describes objects there, which stay as they are.",
  format_without_tags: "This format carries no tags.",
  rare_form: "A file of this form is not rewritten.",
  damaged: "The file is damaged.",
};
