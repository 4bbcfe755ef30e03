import { type Signal, signal } from "@preact/signals";
import { ApiError, errorOf } from "../../api/errors.ts";
import { href } from "../../first-data.ts";
import type { Version } from "./queries.ts";

type Upload = {
  /** Part that has been sent, 0 to 1. */
  sent: Signal<number>;
  /** @throws ApiError. */
  done: Promise<Version>;
  cancel: () => void;
  isCancelled: () => boolean;
};

/** Sends a file as a new version of a track. Only `XMLHttpRequest` says how far it is. */
export function sendVersion(trackId: string, file: File, isActive: boolean): Upload {
  const sent = signal(0);
  const request = new XMLHttpRequest();
  let isCancelled = false;
  const done = new Promise<Version>((resolve, reject) => {
    request.upload.onprogress = ({ loaded, total }) => {
      sent.value = loaded / Math.max(1, total);
    };
    request.onload = () => {
      if (request.status === 200) resolve(JSON.parse(request.responseText).data);
      else void errorOf(new Response(request.responseText, { status: request.status })).then(reject);
    };
    request.onerror = () => reject(new ApiError(0, "no_connection", "The connection was lost on the way"));
    request.onabort = request.onerror;
  });
  const form = new FormData();
  form.set("activate", String(isActive));
  form.set("file", file);
  request.open("POST", href(`/app/library/tracks/${trackId}/versions`));
  request.send(form);
  return {
    sent,
    done,
    cancel: () => {
      isCancelled = true;
      request.abort();
    },
    isCancelled: () => isCancelled,
  };
}
