/** Changes when the same recording would give other values. */
export const FAULTS_VERSION = "2";
