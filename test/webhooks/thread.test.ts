import { afterEach, expect, test } from "bun:test";
import { startDeliveryThread } from "../../src/modules/outward/webhooks/thread.ts";
import { createWebhookApp, stopAll } from "./support.ts";

afterEach(stopAll);

test("a delivery thread that dies at once is not started again by every event", async () => {
  const app = await createWebhookApp();
  const owner = app.owner();
  await owner.subscribe("https://127.0.0.1/hook");
  const broken = URL.createObjectURL(new Blob(["throw new Error('broken')"]));
  const ends: Promise<unknown>[] = [];
  const deliveries = startDeliveryThread(app.deps, () => {
    const worker = new Worker(broken);
    ends.push(new Promise((resolve) => worker.addEventListener("close", resolve)));
    return worker;
  });
  await ends[0];

  owner.announceUpdate();
  await Promise.resolve(); // the thread is looked after when the event's transaction is over

  await deliveries.stop();
  expect(ends.length).toBe(1);
});
