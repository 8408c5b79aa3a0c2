import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import type { ApiError } from '../api/client.ts';
import { toApiError } from '../load.ts';
import { Loading } from './basics.tsx';
import { ErrorNote } from './error-note.tsx';

/** A component that is fetched when it is first shown. */
export function lazy<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let fetched: ComponentType<P> | undefined;
  return function Lazy(props: P) {
    const [, setFetched] = useState(fetched !== undefined);
    const [error, setError] = useState<ApiError>();
    useEffect(() => {
      if (fetched !== undefined) return;
      load().then(
        (component) => {
          fetched = component;
          setFetched(true);
        },
        (failure: unknown) => setError(toApiError(failure)),
      );
    }, []);
    const Component = fetched;
    if (Component !== undefined) return <Component {...props} />;
    return error === undefined ? <Loading /> : <ErrorNote error={error} retry={() => location.reload()} />;
  };
}
