/** Style sheets are for esbuild alone. */
declare module '*.css';
