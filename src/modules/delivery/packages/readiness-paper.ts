import { toIso } from "../../../kernel/time.ts";
import type { Finding, ListReadiness } from "../../library/readiness/shapes.ts";
import type { Witnessed } from "../../proof/ledger/service.ts";
import type { Profile } from "./shapes.ts";

const FOR: Readonly<Record<Profile, string>> = {
  store: "a store or distributor",
  sync: "a sync agency",
  cd: "CD or vinyl",
  custom: "its recipient",
};
const LEVELS = { stop: "Must be mended", warn: "Should be mended", note: "To be known" } as const;

/** Returns `papers/readiness.html`: what was checked, what failed, and by which version of the rules. It has no script. */
export function readinessPaper({
  release,
  profile,
  readiness,
  madeAt,
  witnessed,
}: {
  release: { title: string };
  profile: Profile;
  readiness: ListReadiness;
  madeAt: number;
  /** The newest signed head of the library's ledger: whoever gets the paper becomes a witness of it. */
  witnessed: Witnessed | undefined;
}): string {
  const { counts, rules, tracks, findings } = readiness;
  const title = Bun.escapeHTML(release.title);
  const sections = [
    findings.length > 0 ? section("The release", findings) : "",
    ...tracks.map((track, at) => section(`${at + 1}. ${track.title}`, track.findings)),
  ];
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}: readiness</title>
<style>
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin: 1.5rem 0 0.25rem; }
ul { margin: 0; padding-left: 1.25rem; } small { color: #555; }
code { overflow-wrap: anywhere; }
</style>
<h1>${title}</h1>
<p>Checked for ${FOR[profile]} on ${toIso(madeAt).slice(0, 10)} by rules ${Bun.escapeHTML(rules)}:
${counts.stop} must be mended, ${counts.warn} should be, ${counts.note} to be known.</p>
${sections.join("\n")}
${witnessed ? witness(witnessed) : ""}</html>
`;
}

const witness = ({ size, root, at }: Witnessed) =>
  `<hr>
<p><small>The ledger of this library on ${toIso(at).slice(0, 10)}: ${size} ${size === 1 ? "record" : "records"}, root
<code>${root}</code>. Whoever keeps this can witness that nothing recorded before was changed.</small></p>
`;

function section(title: string, findings: readonly Finding[]): string {
  const lines = findings.map(
    ({ level, message, source }) =>
      `<li>${LEVELS[level]}: ${Bun.escapeHTML(message)} <small>${Bun.escapeHTML(source)}</small></li>`,
  );
  return `<h2>${Bun.escapeHTML(title)}</h2>\n${lines.length > 0 ? `<ul>\n${lines.join("\n")}\n</ul>` : "<p>Nothing was found.</p>"}`;
}
