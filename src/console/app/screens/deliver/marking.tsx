/** @jsxRuntime automatic @jsxImportSource preact */
import { api, dataOf } from "../../api/client.ts";
import { ApiError } from "../../api/errors.ts";
import { Switch } from "../../ui/field.tsx";
import type { Planned, Profile } from "./plan.ts";

type MarkingProps = {
  profile: Profile;
  plan: Planned | undefined;
  isOn: boolean;
  onChange: (isOn: boolean) => unknown;
};

/** Whether the sound tells whose copy it is. */
export function Marking({ profile, plan, isOn, onChange }: MarkingProps) {
  if (profile === "store" || profile === "cd")
    return <p class="soft">Stores and plants get the masters as they are: nothing is marked.</p>;
  return (
    <>
      <Switch
        label="Mark the sound"
        hint="A copy that turns up elsewhere then tells that it was theirs. It takes a moment to make; all but WAV, FLAC and AIFF files go as they are heard, as AAC."
        isOn={isOn}
        onChange={onChange}
      />
      {isOn && plan && !plan.isMarked && (
        <p class="soft">This server cannot mark sound: ffmpeg is not installed.</p>
      )}
    </>
  );
}

/** How often it is asked whether the copies are made. */
const LOOK_EVERY_MS = 700;

/**
 * Waits until the marked copies of a package are made. Returns the path of its archive, which is that of another plan for one that
 * was delivered before.
 *
 * @throws ApiError when one of them cannot be made.
 */
export async function makeMarkedCopies(
  deliveryId: string,
  onBegin: (id: string) => unknown,
): Promise<string> {
  const params = { path: { deliveryId } };
  const { id, path } = await dataOf(api.POST("/app/deliveries/{deliveryId}/marks", { params }));
  onBegin(id);
  for (;;) {
    const now = await progressOf(id);
    if (now.state === "failed") throw new ApiError(422, "file_missing", now.message ?? "");
    if (now.state !== "marking") return path;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

export const progressOf = (deliveryId: string) =>
  dataOf(api.GET("/app/deliveries/{deliveryId}/progress", { params: { path: { deliveryId } } }));
