/** @jsxRuntime automatic @jsxImportSource preact */
import { useQuery } from "../../api/queries.ts";
import { href } from "../../first-data.ts";
import { AddDemoButton } from "../../start/demo.tsx";
import { dismiss, FirstSteps, isDone, stepsQuery } from "../../start/first-steps.tsx";
import { Button } from "../../ui/button.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Screen } from "../../ui/screen.tsx";
import { ChooseButtons } from "../../uploads/choose.tsx";

/** The first steps at any time, also after they were put away. */
export default function WelcomeScreen() {
  const { data, error, refetch } = useQuery(stepsQuery);
  const steps = data?.data;
  return (
    <Screen heading="Welcome">
      <p class="soft welcome-sentence">
        From a folder of music to a link that shows who listened, in four steps.
      </p>
      {error && !steps && <Problem error={error} onRetry={refetch} />}
      {steps && <FirstSteps steps={steps} />}
      {steps && (
        <div class="buttons">
          {!steps.music && <ChooseButtons />}
          {!steps.music && <AddDemoButton />}
          {steps.music && (
            <a class="button" href={href("/library")}>
              Open the Library
            </a>
          )}
          {steps.dismissed && !isDone(steps) && (
            <Button look="secondary" run={() => dismiss(false)}>
              Show above the Library
            </Button>
          )}
        </div>
      )}
    </Screen>
  );
}
