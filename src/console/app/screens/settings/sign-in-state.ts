import { type AnswerOf, query, queryClient, useQuery } from "../../api/queries.ts";

type SignInState = AnswerOf<"/app/account/sign-in">["data"];

const asked = () => query("/app/account/sign-in", {}, {});

/** How the person may sign in; undefined until it is known. */
export function useSignIn(): SignInState | undefined {
  return useQuery(asked()).data?.data;
}

export const readSignIn = () => queryClient.invalidateQueries({ queryKey: asked().queryKey });
