/** @jsxRuntime automatic @jsxImportSource preact */

import { copyLink } from "../../share/copy.ts";
import { Button } from "../../ui/button.tsx";
import { ago, when, wholeTime } from "../../ui/dates.ts";
import { grouped } from "../../ui/numbers.ts";
import { PlainTable } from "../../ui/plain-table.tsx";
import { Way } from "../../ui/way.tsx";
import type { Insights } from "./insights.ts";

type PublicLink = Insights["publicLinks"][number];
type UnopenedLink = Insights["notOpened"][number];

/** Links that anyone may open: their visitors have no names. */
export function TopLinks({ links }: { links: readonly PublicLink[] }) {
  return (
    <section class="insight-part">
      <h2>Public links</h2>
      <PlainTable label="Public links" columns={["What", "Plays", "Last used"]} figures={["Plays"]}>
        {links.map(({ shareId, name, plays, lastAt }) => (
          <tr key={shareId}>
            <th scope="row">
              <Way class="tap" path={`/library/links/${shareId}`}>
                {name ?? "Deleted"}
              </Way>
            </th>
            <td class="figure" data-label="Plays">
              {grouped(plays)}
            </td>
            <td data-label="Last used" title={wholeTime(lastAt)}>
              {ago(lastAt)}
            </td>
          </tr>
        ))}
      </PlainTable>
    </section>
  );
}

/** Links that were never opened: perhaps they never arrived. */
export function Unopened({ insights: { notOpened, notOpenedCount } }: { insights: Insights }) {
  if (notOpenedCount === 0) return null;
  const more = notOpenedCount - notOpened.length;
  return (
    <section class="insight-part">
      <h2 id="not-opened">Not opened yet</h2>
      <ul class="insight-unopened" aria-labelledby="not-opened">
        {notOpened.map((link) => (
          <UnopenedItem key={link.shareId} link={link} />
        ))}
      </ul>
      {more > 0 && (
        <p class="soft">
          And {grouped(more)} more under <Way path="/library/links">Links</Way>.
        </p>
      )}
    </section>
  );
}

function UnopenedItem({ link: { shareId, recipient, name, url, sentAt } }: { link: UnopenedLink }) {
  const who = recipient ?? "Anyone with the link";
  return (
    <li>
      <span>
        <Way class="tap" path={`/library/links/${shareId}`}>
          {who}
        </Way>
        <span class="soft">
          {" "}
          {name ?? "Deleted"}, made {when(sentAt)}
        </span>
      </span>
      <Button look="quiet small" label={`Copy link again for ${who}`} run={() => copyLink(url)}>
        Copy link again
      </Button>
    </li>
  );
}
