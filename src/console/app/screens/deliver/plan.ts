import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Delivered } from "../../actions/deliver.ts";
import { api, dataOf } from "../../api/client.ts";
import type { Body } from "../../api/routes.ts";

/** What is asked for. */
export type Asked = Omit<Body<"POST /app/deliveries">, "where"> & { where: Delivered };
export type Profile = Asked["profile"];
export type Planned = Awaited<ReturnType<typeof planOf>>;

/** Typing goes on for so long before it is read. */
const REST_MS = 300;
/** A plan can be made for ten minutes; before, there is a new one. */
const RENEW_MS = 9 * 60_000;

const planOf = (asked: Asked) => {
  const { where } = asked;
  const body = { ...asked, where: "ids" in where ? { ids: [...where.ids] } : where };
  return dataOf(api.POST("/app/deliveries", { body }));
};

/** Plans a package, and anew whenever something else is asked for or `revision` is another; the plan before stays until then. */
export function usePlan(revision: number, asked: Asked | undefined) {
  const planned = useSignal<Planned | undefined>(undefined);
  const error = useSignal<unknown>(undefined);
  const tries = useSignal(0);
  const text = JSON.stringify(asked);
  useEffect(() => {
    if (asked === undefined) return;
    let isOver = false;
    const timer = setTimeout(
      () =>
        planOf(asked).then(
          (plan) => {
            if (isOver) return;
            planned.value = plan;
            error.value = undefined;
          },
          (thrown: unknown) => {
            if (!isOver) error.value = thrown;
          },
        ),
      planned.peek() === undefined ? 0 : REST_MS,
    );
    const renewal = setTimeout(() => {
      tries.value++;
    }, RENEW_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
      clearTimeout(renewal);
    };
  }, [text, tries.value, revision]);
  return {
    plan: planned.value,
    error: error.value,
    again: () => {
      tries.value++;
    },
  };
}
