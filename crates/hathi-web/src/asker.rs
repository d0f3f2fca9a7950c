//! Who asks, by address: what limits count by.
//!
//! A cookie is thrown away as easily as it is had, an address is not. A
//! network of IPv6 counts as one, since whoever has one address there has all
//! of them. Set for every request by [`know`] and known to whatever the
//! request starts.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use axum::extract::{Request, State};
use axum::http::HeaderMap;
use axum::middleware::Next;
use axum::response::Response;

use crate::server::Peer;
use crate::state::App;

/// Who asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Asker {
    address: IpAddr,
    /// Somebody at this machine, not through a proxy.
    local: bool,
}

tokio::task_local! {
    static CURRENT: Asker;
}

/// Where a proxy says for whom it asks.
const FORWARDED: &str = "x-forwarded-for";

/// Headers that only a proxy adds.
const OF_PROXIES: [&str; 3] = [FORWARDED, "forwarded", "x-real-ip"];

impl Asker {
    pub(crate) fn of(address: IpAddr, local: bool) -> Asker {
        let address = match address {
            IpAddr::V6(address) => match address.to_ipv4_mapped() {
                Some(address) => IpAddr::V4(address),
                None if address.is_loopback() => IpAddr::V6(address),
                None => {
                    let [a, b, c, d, ..] = address.segments();
                    IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
                }
            },
            address @ IpAddr::V4(_) => address,
        };
        Asker { address, local }
    }

    /// Whom the work under way is for; the machine itself if nobody asked.
    pub(crate) fn current() -> Asker {
        let nobody = Asker::of(IpAddr::V4(Ipv4Addr::LOCALHOST), true);
        CURRENT.try_with(|asker| *asker).unwrap_or(nobody)
    }

    /// Work started by a request is still for who asked.
    pub(crate) async fn scope<T>(self, work: impl Future<Output = T>) -> T {
        CURRENT.scope(self, work).await
    }

    pub(crate) fn address(&self) -> IpAddr {
        self.address
    }

    /// Is it somebody at this machine?
    pub(crate) fn is_local(&self) -> bool {
        self.local
    }

    /// From what the connection and the proxy, if there is one, say.
    fn read(peer: IpAddr, headers: &HeaderMap, behind_proxy: bool) -> Asker {
        let through_proxy = OF_PROXIES.iter().any(|name| headers.contains_key(*name));
        if behind_proxy {
            // The last one was written by the proxy, those before by anybody.
            let forwarded = headers
                .get_all(FORWARDED)
                .iter()
                .next_back()
                .and_then(|value| value.to_str().ok())
                .and_then(|value| value.rsplit(',').next())
                .and_then(|value| value.trim().parse().ok());
            return Asker::of(forwarded.unwrap_or(peer), false);
        }
        Asker::of(peer, peer.to_canonical().is_loopback() && !through_proxy)
    }
}

/// Lets everything a request starts know whom it is for.
pub(crate) async fn know(State(app): State<App>, request: Request, next: Next) -> Response {
    let peer = request.extensions().get::<Peer>().map(|peer| peer.0.ip());
    let peer = peer.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED));
    let asker = Asker::read(peer, request.headers(), app.config.behind_proxy);
    asker.scope(next.run(request)).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    fn ip(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    #[test]
    fn networks_count_as_one() {
        let asker = |text: &str| Asker::of(ip(text), false);
        assert_eq!(asker("2001:db8::1"), asker("2001:db8::ffff:2"));
        assert_ne!(asker("2001:db8::1"), asker("2001:db8:0:1::1"));
        assert_eq!(asker("::ffff:10.0.0.1"), asker("10.0.0.1"));
        assert_ne!(asker("10.0.0.1"), asker("10.0.0.2"));
    }

    #[test]
    fn proxies_are_believed_only_where_there_is_one() {
        let mut headers = HeaderMap::new();
        let here = ip("127.0.0.1");
        assert!(Asker::read(here, &headers, false).is_local());
        assert!(!Asker::read(here, &headers, true).is_local());
        assert!(!Asker::read(ip("10.0.0.1"), &headers, false).is_local());
        headers.insert(FORWARDED, HeaderValue::from_static("9.9.9.9, 10.0.0.7"));
        // Through a proxy nobody has told us of: from somewhere, not from here.
        let asker = Asker::read(here, &headers, false);
        assert!(!asker.is_local());
        assert_eq!(asker.address(), here);
        let asker = Asker::read(here, &headers, true);
        assert_eq!(asker.address(), ip("10.0.0.7"));
    }
}
