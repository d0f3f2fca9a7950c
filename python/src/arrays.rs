//! Numbers as arrays of Python's own `array` module, whose memory numpy takes
//! as it is (`numpy.asarray`).

use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// A number with its letter in the `array` module.
pub(crate) trait Number: Copy {
    const CODE: &'static str;
    fn write(self, bytes: &mut Vec<u8>);
}

macro_rules! number {
    ($type:ty, $code:literal) => {
        impl Number for $type {
            const CODE: &'static str = $code;
            fn write(self, bytes: &mut Vec<u8>) {
                bytes.extend(self.to_ne_bytes());
            }
        }
    };
}

number!(i8, "b");
number!(i16, "h");
number!(u16, "H");
number!(i32, "i");
number!(u64, "Q");
number!(f32, "f");

/// An `array.array` of these numbers.
pub(crate) fn array<N: Number>(
    py: Python<'_>,
    numbers: impl IntoIterator<Item = N>,
) -> PyResult<Bound<'_, PyAny>> {
    let mut bytes = Vec::new();
    for number in numbers {
        number.write(&mut bytes);
    }
    py.import("array")?
        .getattr("array")?
        .call1((N::CODE, PyBytes::new(py, &bytes)))
}
