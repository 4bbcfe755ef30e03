import { countDown } from "./countdown.ts";
import { byId, findById, memory } from "./dom.ts";
import { enableSending } from "./submit-form.ts";
import { createUploads } from "./submit-uploads.ts";

const [, page = ""] = /^(.*\/submit\/[^/]+)/.exec(location.pathname) ?? [];
const remembered = `uploads ${page}`;

if (findById("received")) memory.set(remembered, "[]");
if (findById("submit-form"))
  enableSending(createUploads(page, remembered), byId<HTMLFormElement>("submit-form"));
countDown();
