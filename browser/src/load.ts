import { useEffect, useState } from 'preact/hooks';

import { ApiError } from './api/client.ts';
import { type Asked, noteAsked } from './late-focus.ts';

/** State of a value that a component loads. After a load that failed there may be the former value beside the error. */
export interface Loaded<T> {
  readonly value: T | undefined;
  readonly error: ApiError | undefined;
  readonly loading: boolean;
  /** Loads it again; the present value stays until then. */
  readonly reload: () => void;
}

/**
 * Loads something when the component appears, and whenever `key` changes. The signal aborts a load whose result nobody
 * waits for any more.
 */
export function useLoad<T>(key: string, load: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const [state, setState] = useState<{ key: string; value?: T; error?: ApiError; loading: boolean }>({
    key,
    loading: true,
  });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const abort = new AbortController();
    setState((before) => ({ ...(before.key === key ? before : {}), key, loading: true }));
    load(abort.signal).then(
      (value) => {
        if (!abort.signal.aborted) setState({ key, value, loading: false });
      },
      (error: unknown) => {
        if (abort.signal.aborted) return;
        const refused = toApiError(error);
        // While the service does not answer, the former value stays, and with it what is typed in its forms.
        setState((before) => ({
          ...(before.key === key && isPassing(refused) ? before : {}),
          key,
          error: refused,
          loading: false,
        }));
      },
    );
    return () => abort.abort();
  }, [key, turn]);
  const current = state.key === key ? state : undefined;
  return {
    value: current?.value,
    error: current?.error,
    loading: current?.loading ?? true,
    reload: () => setTurn((before) => before + 1),
  };
}

/** Whether the same request may succeed later: there was no answer, or the service was busy or out of order. */
function isPassing({ status }: ApiError): boolean {
  return status === 0 || status === 429 || status >= 500;
}

/** Something that the reader does: whether it is under way, and why the last attempt failed. */
export interface Action {
  readonly busy: boolean;
  readonly error: ApiError | undefined;
  /** When the reader asked for the last attempt. */
  readonly asked: Asked | undefined;
  /** Does it; resolves to whether it succeeded. */
  readonly run: (act: () => Promise<unknown>) => Promise<boolean>;
}

/** An action of a component, whose error it shows. */
export function useAction(): Action {
  const [state, setState] = useState<{ busy: boolean; error?: ApiError; asked?: Asked }>({ busy: false });
  const run = async (act: () => Promise<unknown>) => {
    const asked = noteAsked();
    setState({ busy: true, asked });
    try {
      await act();
      setState({ busy: false, asked });
      return true;
    } catch (failure) {
      setState({ busy: false, error: toApiError(failure), asked });
      return false;
    }
  };
  return { busy: state.busy, error: state.error, asked: state.asked, run };
}

/** Any error as one of the service, so that it can be shown. */
export function toApiError(error: unknown): ApiError {
  return error instanceof ApiError ? error : new ApiError(0, 'Unexpected', String(error));
}

/** The value of the last render that was at least `milliseconds` ago. */
export function useDelayed<T>(value: T, milliseconds: number): T {
  const [delayed, setDelayed] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return delayed;
}
