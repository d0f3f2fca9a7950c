//! Positions drawn for every plan and category.
