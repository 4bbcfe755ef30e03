import { briefScenarios, composerScenarios, playlistScenarios } from "./scenarios/collections.ts";
import { keyScenarios, serviceScenarios } from "./scenarios/keys.ts";
import { analyticsScenarios, platformScenarios } from "./scenarios/reporting.ts";
import type { Scenario, Scenarios } from "./scenarios/scenario.ts";
import { tagScenarios, trackScenarios, versionScenarios } from "./scenarios/tracks.ts";

/** The scenarios that make each row answer, by the row's name. */
export const SCENARIOS: Scenarios = {
  ...trackScenarios,
  ...versionScenarios,
  ...tagScenarios,
  ...playlistScenarios,
  ...composerScenarios,
  ...analyticsScenarios,
  ...briefScenarios,
  ...platformScenarios,
  ...keyScenarios,
  ...serviceScenarios,
};

/**
 * Returns the scenario of a row.
 *
 * @throws Error when there is none, which means that the row has no test.
 */
export function scenarioOf(name: string): Scenario {
  const scenario = SCENARIOS[name];
  if (!scenario) throw new Error(`No scenario for ${name}`);
  return scenario;
}
