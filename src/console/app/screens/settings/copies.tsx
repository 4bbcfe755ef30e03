/** @jsxRuntime automatic @jsxImportSource preact */

import { useEffect } from "preact/hooks";
import { sizeText } from "../../../../pages/size.ts";
import { api, dataOf } from "../../api/client.ts";
import { type AnswerOf, query, queryClient, useQuery } from "../../api/queries.ts";
import { useMaker } from "../../api/team.ts";
import { device } from "../../pocket/here.ts";
import { canKeep } from "../../pocket/kept.ts";
import { pocket } from "../../pocket/pocket.ts";
import { isWorking } from "../../pocket/sync.ts";
import { Button } from "../../ui/button.tsx";
import { ago, wholeTime } from "../../ui/dates.ts";
import { confirmFinal } from "../../ui/dialog.tsx";
import { counted } from "../../ui/numbers.ts";
import { PlainTable } from "../../ui/plain-table.tsx";
import { Problem } from "../../ui/problem.tsx";
import { toast } from "../../ui/toast.tsx";
import { Part } from "./frame.tsx";

type Device = AnswerOf<"/app/pocket">["data"][number];

const devicesQuery = () => query("/app/pocket", {}, {});
const readDevices = () => queryClient.invalidateQueries({ queryKey: devicesQuery().queryKey });

/** The devices that keep music, and a way to take it back. */
export function Copies() {
  const { data, error, refetch } = useQuery(devicesQuery());
  const isSyncing = isWorking.value;
  useEffect(() => {
    if (!isSyncing && device.peek()) void readDevices();
  }, [isSyncing]);
  const devices = data?.data.filter(({ withdrawnAt }) => withdrawnAt === null);
  return (
    <Part
      heading="Copies on devices"
      note="A device deletes its copies when it next reaches the server. Until then, and for at most 30 days, it can still play them. Somebody who can read the device's storage can copy them."
    >
      <Problem error={error} onRetry={refetch} />
      {!canKeep && <p class="soft">Keeping music on a device needs https.</p>}
      {canKeep && devices?.length === 0 && (
        <p class="soft">
          No device keeps music. Choose Keep on this device in the menu of a track or a playlist.
        </p>
      )}
      {devices && devices.length > 0 && (
        <PlainTable label="Copies on devices" columns={["Device", "Kept", "Last here"]} hasActions>
          {devices.map((each) => (
            <DeviceRow key={each.id} of={each} />
          ))}
        </PlainTable>
      )}
    </Part>
  );
}

function DeviceRow({ of: { id, name, tracks, bytes, createdAt, syncedAt, madeBy } }: { of: Device }) {
  const maker = useMaker(madeBy);
  const isThis = device.value?.id === id;
  return (
    <tr>
      <th scope="row">
        {name}
        {isThis && <span class="soft"> This device</span>}
        {maker && <span class="soft"> {maker}</span>}
      </th>
      <td data-label="Kept">{`${counted(tracks, "track")}, ${sizeText(bytes)}`}</td>
      <td data-label="Last here" title={wholeTime(syncedAt ?? createdAt)}>
        {syncedAt === null ? "Not yet" : ago(syncedAt)}
      </td>
      <td class="row-actions">
        <Button
          look="quiet small"
          label={`Remove copies from ${name}`}
          run={() => remove({ id, name, tracks }, isThis)}
        >
          Remove copies
        </Button>
      </td>
    </tr>
  );
}

type Removed = Pick<Device, "id" | "name" | "tracks">;

async function remove({ id, name, tracks }: Removed, isThis: boolean): Promise<void> {
  const words = isThis ? undefined : "It deletes them when it next reaches the server.";
  const question = `Remove ${counted(tracks, "track")} from ${isThis ? "this device" : name}?`;
  if (!(await confirmFinal(question, "Remove copies", words))) return;
  if (isThis) await (await pocket()).letAllGo();
  else await dataOf(api.DELETE("/app/pocket/{id}", { params: { path: { id } } }));
  void readDevices();
  toast(isThis ? "Copies removed" : `${name} gets nothing more`);
}
