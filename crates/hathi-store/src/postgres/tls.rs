//! Encrypted connections, by the conventions of PostgreSQL's own clients.

use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme,
};
use tokio_postgres_rustls::MakeRustlsConnect;

/// How much of a connection must be safe: `sslmode`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum TlsMode {
    /// Never encrypted.
    Disable,
    /// Encrypted only if the server insists.
    Allow,
    /// Encrypted if the server can.
    #[default]
    Prefer,
    /// Encrypted, with whoever answers; with root certificates, as `verify-ca`.
    Require,
    /// The server has a certificate of somebody whom we trust.
    VerifyCa,
    /// And it is for the host that we meant.
    VerifyFull,
}

impl TlsMode {
    /// The mode that was asked for. Anybody can have a certificate of somebody
    /// whom the machine trusts: only with its name is it worth something.
    pub(super) fn asked(mode: Option<&str>, root: Option<&str>) -> Result<TlsMode, String> {
        let mode: Option<TlsMode> = mode.map(str::parse).transpose()?;
        match mode {
            _ if root != Some("system") => Ok(mode.unwrap_or_default()),
            None | Some(TlsMode::VerifyFull) => Ok(TlsMode::VerifyFull),
            Some(_) => Err("sslrootcert=system goes with sslmode=verify-full only".to_owned()),
        }
    }
}

impl FromStr for TlsMode {
    type Err = String;

    fn from_str(text: &str) -> Result<TlsMode, String> {
        Ok(match text {
            "disable" => TlsMode::Disable,
            "allow" => TlsMode::Allow,
            "prefer" => TlsMode::Prefer,
            "require" => TlsMode::Require,
            "verify-ca" => TlsMode::VerifyCa,
            "verify-full" => TlsMode::VerifyFull,
            _ => {
                return Err(
                    "sslmode is one of disable, allow, prefer, require, verify-ca, verify-full"
                        .to_owned(),
                );
            }
        })
    }
}

/// What was said about encryption; what was not is looked for in the usual
/// places when a connection is made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct TlsOptions {
    pub(super) mode: TlsMode,
    /// Certificates that are trusted; `system` for those of the machine.
    pub(super) root: Option<PathBuf>,
    /// Our own certificate and its key.
    pub(super) certificate: Option<PathBuf>,
    pub(super) key: Option<PathBuf>,
}

/// Certificates of the machine, where systems keep them.
const SYSTEM_ROOTS: [&str; 4] = [
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
];

impl TlsOptions {
    /// What makes encrypted connections; `folder` is `~/.postgresql`. The error
    /// says what is wrong with which file.
    pub(super) fn connector(&self, folder: Option<&Path>) -> Result<MakeRustlsConnect, String> {
        let usual = |name: &str| {
            let path = folder?.join(name);
            path.is_file().then_some(path)
        };
        let root = self.root.clone().or_else(|| usual("root.crt"));
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let builder = ClientConfig::builder_with_provider(provider.clone())
            .with_safe_default_protocol_versions()
            .map_err(|error| error.to_string())?;
        let checked = match (self.mode, root) {
            (TlsMode::VerifyCa | TlsMode::VerifyFull, None) => {
                return Err("sslmode=verify-ca and verify-full need root certificates: \
                     sslrootcert=FILE, sslrootcert=system or ~/.postgresql/root.crt"
                    .to_owned());
            }
            (TlsMode::Disable | TlsMode::Allow | TlsMode::Prefer, _) | (TlsMode::Require, None) => {
                Checked::Nothing
            }
            (TlsMode::VerifyFull, Some(root)) => Checked::Host(verifier(&root, &provider)?),
            (TlsMode::VerifyCa | TlsMode::Require, Some(root)) => {
                Checked::Issuer(verifier(&root, &provider)?)
            }
        };
        let builder = builder
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(Verifier { checked, provider }));
        let certificate = self.certificate.clone().or_else(|| usual("postgresql.crt"));
        let config = match certificate {
            None => builder.with_no_client_auth(),
            Some(certificate) => {
                let key = self.key.clone().or_else(|| usual("postgresql.key"));
                let key = key
                    .ok_or_else(|| format!("{} has no key: sslkey=FILE", certificate.display()))?;
                private(&key)?;
                let chain = certificates(&certificate)?;
                let secret = PrivateKeyDer::from_pem_file(&key)
                    .map_err(|error| format!("{}: {error}", key.display()))?;
                builder
                    .with_client_auth_cert(chain, secret)
                    .map_err(|error| format!("{}: {error}", certificate.display()))?
            }
        };
        Ok(MakeRustlsConnect::new(config))
    }
}

/// A key that others can read is no secret.
fn private(key: &Path) -> Result<(), String> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let about = fs::metadata(key).map_err(|error| format!("{}: {error}", key.display()))?;
        if about.permissions().mode() & 0o077 != 0 {
            return Err(format!(
                "{} can be read by others; chmod 600 makes it private",
                key.display()
            ));
        }
    }
    Ok(())
}

fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, String> {
    let failed = |error: String| format!("{}: {error}", path.display());
    let found: Vec<CertificateDer<'static>> = CertificateDer::pem_file_iter(path)
        .and_then(Iterator::collect)
        .map_err(|error| failed(error.to_string()))?;
    if found.is_empty() {
        return Err(failed("there is no certificate in it".to_owned()));
    }
    Ok(found)
}

fn verifier(
    root: &Path,
    provider: &Arc<CryptoProvider>,
) -> Result<Arc<WebPkiServerVerifier>, String> {
    let system;
    let path = if root == Path::new("system") {
        let named = std::env::var_os("SSL_CERT_FILE").map(PathBuf::from);
        system = named
            .or_else(|| {
                SYSTEM_ROOTS
                    .iter()
                    .map(PathBuf::from)
                    .find(|path| path.is_file())
            })
            .ok_or("this machine has no root certificates: SSL_CERT_FILE names them")?;
        &system
    } else {
        root
    };
    let mut roots = RootCertStore::empty();
    // A certificate of the system that is odd does not make the others so.
    let (added, _) = roots.add_parsable_certificates(certificates(path)?);
    if added == 0 {
        return Err(format!(
            "{}: no certificate in it can be used",
            path.display()
        ));
    }
    WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider.clone())
        .build()
        .map_err(|error| format!("{}: {error}", path.display()))
}

/// What of a server's certificate is checked.
#[derive(Debug)]
enum Checked {
    Nothing,
    /// Who has signed it.
    Issuer(Arc<WebPkiServerVerifier>),
    /// And for which host.
    Host(Arc<WebPkiServerVerifier>),
}

#[derive(Debug)]
struct Verifier {
    checked: Checked,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let verify = |verifier: &WebPkiServerVerifier| {
            verifier.verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now)
        };
        match &self.checked {
            Checked::Nothing => Ok(ServerCertVerified::assertion()),
            Checked::Host(verifier) => verify(verifier),
            // The name is compared last, when all the rest is right.
            Checked::Issuer(verifier) => match verify(verifier) {
                Err(Error::InvalidCertificate(
                    CertificateError::NotValidForName
                    | CertificateError::NotValidForNameContext { .. },
                )) => Ok(ServerCertVerified::assertion()),
                verified => verified,
            },
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        rustls::crypto::verify_tls12_signature(message, cert, dss, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        rustls::crypto::verify_tls13_signature(message, cert, dss, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider
            .signature_verification_algorithms
            .supported_schemes()
    }
}
