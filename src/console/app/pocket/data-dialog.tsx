/** @jsxRuntime automatic @jsxImportSource preact */
import { sizeText } from "../../../pages/size.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, showDialog } from "../ui/dialog.tsx";

type Described = { connection?: { saveData?: boolean; type?: string } };

let answer: Promise<boolean> | undefined;

/** Asks once whether to fetch so much, where the browser says that data are dear. */
export function mayFetch(bytes: number): Promise<boolean> {
  const { saveData = false, type } = (navigator as Described).connection ?? {};
  if (!saveData && type !== "cellular") return Promise.resolve(true);
  answer ??= ask(bytes);
  return answer;
}

function ask(bytes: number): Promise<boolean> {
  return new Promise((resolve) => {
    showDialog((close) => {
      const say = (isYes: boolean) => () => {
        close();
        resolve(isYes);
      };
      return (
        <Dialog label={`Keep ${sizeText(bytes)} over mobile data?`} onClose={say(false)}>
          <div class="dialog-actions">
            <Button look="quiet" run={say(false)}>
              Not now
            </Button>
            <Button run={say(true)}>Keep</Button>
          </div>
        </Dialog>
      );
    });
  });
}
