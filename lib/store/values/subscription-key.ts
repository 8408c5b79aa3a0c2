/** What names a subscription. */
export interface SubscriptionKey {
  readonly account: string;
  readonly name: string;
}
