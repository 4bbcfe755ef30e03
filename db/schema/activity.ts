// Tables of the activity log: written by the analytics part.
export {};
