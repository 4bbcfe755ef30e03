/** @jsxRuntime automatic @jsxImportSource preact */
import { save } from "../../actions/download.ts";
import { api, dataOf } from "../../api/client.ts";
import { usePages } from "../../api/pages.ts";
import { type AnswerOf, changed, query } from "../../api/queries.ts";
import { href, hrefInside } from "../../first-data.ts";
import { Button } from "../../ui/button.tsx";
import { day, wholeTime } from "../../ui/dates.ts";
import { confirmFinal } from "../../ui/dialog.tsx";
import { ListScreen } from "../../ui/list-screen.tsx";
import { counted } from "../../ui/numbers.ts";
import { PlainTable } from "../../ui/plain-table.tsx";
import { toast } from "../../ui/toast.tsx";
import "./deliver.css";
import { profileName } from "./for-whom.tsx";
import { makeMarkedCopies } from "./marking.tsx";
import { sizeText } from "./tree.ts";

type Delivery = AnswerOf<"/app/deliveries">["data"][number];

/** A delivery is told of as links are. */
const deliveries = () => query("/app/deliveries", { query: { limit: 200 } }, { shares: "all" });

/** What went out: to whom, what, when. */
export default function DeliveriesScreen() {
  const pages = usePages(deliveries());
  return (
    <ListScreen
      heading="Deliveries"
      pages={pages}
      empty={[
        "Nothing has been delivered",
        <>
          Choose tracks in the <a href={href("/library")}>Library</a>, a playlist or an album, then
          “Deliver…”. What went out is listed here, with its hashes.
        </>,
      ]}
    >
      {(items) => (
        <PlainTable
          label="Deliveries"
          columns={["For", "What", "Made", "Size"]}
          figures={["Size"]}
          hasActions
        >
          {items.map((each) => (
            <Row key={each.id} delivery={each} />
          ))}
        </PlainTable>
      )}
    </ListScreen>
  );
}

const WAYS: Readonly<Record<Delivery["way"], string>> = {
  zip: "archive",
  folder: "folder on the server",
  link: "link",
};

function Row({ delivery }: { delivery: Delivery }) {
  const { id, recipient, name, profile, tracks, way, madeAt, madeBy, sizeBytes, sha256, isErased, isMarked } =
    delivery;
  const again = async () => {
    toast(`Making ${name} again, from the same versions`);
    const path = isMarked ? await makeMarkedCopies(id, () => undefined) : `/app/deliveries/${id}/archive`;
    save(hrefInside(path));
  };
  const erase = async () => {
    if (!(await confirmFinal(`Erase what is known of ${name}? Its hash stays.`, "Erase"))) return;
    await dataOf(api.DELETE("/app/deliveries/{deliveryId}", { params: { path: { deliveryId: id } } }));
    changed("shares", null);
  };
  return (
    <tr>
      <th scope="row" data-label="For">
        {recipient ?? <span class="soft">{isErased ? "Erased" : profileName(profile)}</span>}
      </th>
      <td data-label="What">
        {name}
        <span class="soft deliver-under">
          {counted(tracks, "track")}, {WAYS[way]}
          {isMarked && ", marked"}
        </span>
      </td>
      <td data-label="Made" class="when" title={wholeTime(madeAt)}>
        {day(madeAt)}
        {madeBy && <span class="soft deliver-under">{madeBy.name}</span>}
      </td>
      <td data-label="Size" class="figure" title={`SHA256SUMS: ${sha256}`}>
        {sizeText(sizeBytes)}
      </td>
      <td class="row-actions">
        {!isErased && (
          <>
            <Button look="secondary small" label={`Same again: ${name}`} run={again}>
              Same again
            </Button>
            <Button look="quiet small" label={`Erase ${name}`} run={erase}>
              Erase
            </Button>
          </>
        )}
      </td>
    </tr>
  );
}
