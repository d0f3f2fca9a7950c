//! Groups of boards that X-means finds in games: phases nobody has drawn the
//! borders of. Kept in a small JSON file with what they were made from.

use hathi_model::phase::PhaseFeatures;
use serde::{Deserialize, Serialize};

use crate::histogram::{Histogram, MOST, all_features};
use crate::xmeans::{Groups, XMeans, XMeansError, square_distance};

/// What the file says it is.
const FORMAT: &str = "hathi clusters";
/// Files of another version are refused.
const VERSION: u32 = 1;

/// Groups of boards.
#[derive(Clone, Debug)]
pub struct Clusters {
    file: File,
    /// The nearest cluster for all features there are.
    nearest: Vec<u8>,
}

/// A group of boards.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cluster {
    /// By its centre: `early`, `middle`, `late` or `goal threat`, numbered if
    /// there are several; `quiet` for the only one without a threat.
    pub name: String,
    /// At its centre: pieces of the side that has fewer.
    pub pieces: f64,
    /// At its centre: advanced pieces of the side that has more.
    pub advanced: f64,
    /// Which part of its boards has a goal threat.
    pub goal_threat: f64,
    /// Which part of all boards it has.
    pub share: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct File {
    format: String,
    version: u32,
    /// In words: which games, how many boards, which settings.
    made_from: String,
    /// Lowest and highest of pieces and advanced pieces seen: distances are
    /// measured after bringing both to 0..1, like the goal threat.
    low: [f64; 2],
    high: [f64; 2],
    /// Of points round their centres, along each axis, after that.
    variance: f64,
    clusters: Vec<Cluster>,
}

/// Why clusters cannot be made or read.
#[derive(Debug, thiserror::Error)]
pub enum ClustersError {
    /// X-means.
    #[error(transparent)]
    XMeans(#[from] XMeansError),
    /// Not a cluster file.
    #[error("this is no cluster file: {0}; make one with `hathi learn cluster`")]
    Unreadable(String),
    /// Another version.
    #[error(
        "the cluster file is of version {0}, expected {VERSION}; make it again with `hathi learn cluster`"
    )]
    Version(u32),
}

static SHIPPED: std::sync::LazyLock<Option<Clusters>> =
    std::sync::LazyLock::new(|| Clusters::parse(include_str!("../clusters/default.json")).ok());

impl Clusters {
    /// Groups boards. Each counts as often as it occurs, up to about
    /// `most_points` in all: above that, evenly fewer of each.
    pub fn find(
        boards: &Histogram,
        x_means: &XMeans,
        most_points: usize,
        made_from: String,
    ) -> Result<(Clusters, Groups<3>), ClustersError> {
        let (low, high) = ranges(boards);
        let shape = File {
            format: FORMAT.to_owned(),
            version: VERSION,
            made_from,
            low,
            high,
            variance: 0.0,
            clusters: Vec::new(),
        };
        let total = boards.boards().max(1);
        let part = (most_points as f64 / total as f64).min(1.0);
        let mut points = Vec::new();
        for (features, count) in boards.iter() {
            // What is rare stays: it is there at least once.
            #[allow(clippy::cast_sign_loss)] // counts
            let copies = ((count as f64 * part).round() as usize).max(1);
            points.resize(points.len() + copies, shape.point(features));
        }
        // A whole number stands for half a piece more or less.
        let width = |axis: usize| 1.0 / (high[axis] - low[axis]).max(1.0);
        let rounding = (width(0).powi(2) + width(1).powi(2)) / 3.0 / 12.0;
        let x_means = XMeans {
            least_variance: x_means.least_variance.max(rounding),
            ..*x_means
        };
        let groups = x_means.run(&points)?;
        let mut clusters: Vec<Cluster> = groups
            .centres
            .iter()
            .zip(&groups.sizes)
            .map(|(centre, &size)| Cluster {
                name: String::new(),
                pieces: low[0] + centre[0] * (high[0] - low[0]),
                advanced: low[1] + centre[1] * (high[1] - low[1]),
                goal_threat: centre[2],
                share: size as f64 / points.len() as f64,
            })
            .collect();
        name(&mut clusters);
        let file = File {
            variance: groups.variance,
            clusters,
            ..shape
        };
        Ok((Clusters::of(file), groups))
    }

    /// Those that are shipped: three, from real games with both players above
    /// 1600. None only if the file were broken, which a test rules out.
    pub fn shipped() -> Option<Clusters> {
        SHIPPED.clone()
    }

    /// Reads a file.
    pub fn parse(text: &str) -> Result<Clusters, ClustersError> {
        let broken = |what: String| ClustersError::Unreadable(what);
        let file: File = serde_json::from_str(text).map_err(|e| broken(e.to_string()))?;
        if file.format != FORMAT {
            return Err(broken(format!("it says {:?}", file.format)));
        }
        if file.version != VERSION {
            return Err(ClustersError::Version(file.version));
        }
        let numbers = file.clusters.iter().flat_map(|cluster| {
            let Cluster {
                pieces,
                advanced,
                goal_threat,
                share,
                ..
            } = *cluster;
            [pieces, advanced, goal_threat, share]
        });
        let finite = numbers.chain(file.low).chain(file.high).all(f64::is_finite);
        let count = file.clusters.len();
        let variance = file.variance;
        if !finite || !variance.is_finite() || variance <= 0.0 || count == 0 || count > 255 {
            return Err(broken("its numbers make no sense".to_owned()));
        }
        Ok(Clusters::of(file))
    }

    fn of(file: File) -> Clusters {
        let nearest = all_features().map(|features| file.nearest(features) as u8);
        Clusters {
            nearest: nearest.collect(),
            file,
        }
    }

    /// The text of a file.
    pub fn to_text(&self) -> String {
        let mut text = serde_json::to_string_pretty(&self.file).unwrap_or_default();
        text.push('\n');
        text
    }

    /// The clusters, from the start of a game to its end.
    pub fn all(&self) -> &[Cluster] {
        &self.file.clusters
    }

    /// What they were made from, in words.
    pub fn made_from(&self) -> &str {
        &self.file.made_from
    }

    /// The cluster a board belongs to: a table is asked.
    #[inline]
    pub fn nearest(&self, features: PhaseFeatures) -> usize {
        let threat = usize::from(features.goal_threat);
        let advanced = (features.advanced as usize).min(MOST);
        let pieces = (features.fewer_pieces as usize).min(MOST);
        self.nearest[(threat * (MOST + 1) + advanced) * (MOST + 1) + pieces] as usize
    }

    /// The chances of the clusters, the points of each being a round bell.
    pub fn chances(&self, features: PhaseFeatures) -> Vec<f64> {
        let point = self.file.point(features);
        let clusters = self.file.clusters.iter();
        let logs: Vec<f64> = clusters
            .map(|cluster| {
                let distance = square_distance(&point, &self.file.centre(cluster));
                cluster.share.max(1e-12).ln() - distance / (2.0 * self.file.variance)
            })
            .collect();
        // The largest is taken off first, so that nothing is too small to add.
        let largest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let weights: Vec<f64> = logs.iter().map(|log| (log - largest).exp()).collect();
        let sum: f64 = weights.iter().sum();
        weights.into_iter().map(|weight| weight / sum).collect()
    }
}

impl File {
    /// Where the features are, every axis from 0 to 1.
    fn point(&self, features: PhaseFeatures) -> [f64; 3] {
        let threat = f64::from(u8::from(features.goal_threat));
        self.scaled([
            f64::from(features.fewer_pieces),
            f64::from(features.advanced),
            threat,
        ])
    }

    fn centre(&self, cluster: &Cluster) -> [f64; 3] {
        self.scaled([cluster.pieces, cluster.advanced, cluster.goal_threat])
    }

    fn scaled(&self, [pieces, advanced, threat]: [f64; 3]) -> [f64; 3] {
        let scale = |axis: usize, value: f64| {
            (value - self.low[axis]) / (self.high[axis] - self.low[axis]).max(1.0)
        };
        [scale(0, pieces), scale(1, advanced), threat]
    }

    fn nearest(&self, features: PhaseFeatures) -> usize {
        let point = self.point(features);
        let distance = |cluster: &Cluster| square_distance(&point, &self.centre(cluster));
        let distances = self.clusters.iter().map(distance).enumerate();
        let nearest = distances.min_by(|a, b| a.1.total_cmp(&b.1));
        nearest.map_or(0, |(cluster, _)| cluster)
    }
}

/// Lowest and highest of pieces and of advanced pieces.
fn ranges(boards: &Histogram) -> ([f64; 2], [f64; 2]) {
    let (mut low, mut high) = ([f64::MAX; 2], [f64::MIN; 2]);
    for (features, _) in boards.iter() {
        let values = [features.fewer_pieces, features.advanced].map(f64::from);
        for axis in 0..2 {
            low[axis] = low[axis].min(values[axis]);
            high[axis] = high[axis].max(values[axis]);
        }
    }
    // A width of one at least, so that there is something to divide by.
    for axis in 0..2 {
        if low[axis] > high[axis] {
            (low[axis], high[axis]) = (0.0, 1.0);
        }
        high[axis] = high[axis].max(low[axis] + 1.0);
    }
    (low, high)
}

/// Puts them in the order of a game and names them by their centres.
fn name(clusters: &mut [Cluster]) {
    let threatens = |cluster: &Cluster| cluster.goal_threat >= 0.5;
    let early = |cluster: &Cluster| cluster.pieces - cluster.advanced / 2.0;
    clusters.sort_by(|a, b| {
        let order = threatens(a).cmp(&threatens(b));
        order.then(early(b).total_cmp(&early(a)))
    });
    let quiet = clusters
        .iter()
        .filter(|cluster| !threatens(cluster))
        .count();
    let threats = clusters.len() - quiet;
    for (i, cluster) in clusters.iter_mut().enumerate() {
        cluster.name = match i {
            _ if i >= quiet && threats == 1 => "goal threat".to_owned(),
            _ if i >= quiet => format!("goal threat {}", i - quiet + 1),
            _ if quiet == 1 => "quiet".to_owned(),
            0 => "early".to_owned(),
            _ if i + 1 == quiet => "late".to_owned(),
            _ if quiet == 3 => "middle".to_owned(),
            _ => format!("middle {i}"),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn features(fewer_pieces: u32, advanced: u32, goal_threat: bool) -> PhaseFeatures {
        PhaseFeatures {
            fewer_pieces,
            advanced,
            goal_threat,
        }
    }

    /// Starts, late boards, and some with a threat.
    fn boards() -> Histogram {
        let mut boards = Histogram::default();
        for i in 0..600u32 {
            boards.add(features(16 - i % 2, i % 3, false));
            if i % 2 == 0 {
                boards.add(features(7 + i % 3, 5 + i % 2, false));
            }
            if i % 4 == 0 {
                boards.add(features(6 + i % 5, 4 + i % 3, true));
            }
        }
        boards
    }

    fn found() -> Clusters {
        let x_means = XMeans {
            maximum: 3,
            ..XMeans::default()
        };
        Clusters::find(&boards(), &x_means, 100_000, "made up".to_owned())
            .expect("clusters")
            .0
    }

    #[test]
    fn groups_are_found_and_named_by_their_centres() {
        let clusters = found();
        let names: Vec<&str> = clusters.all().iter().map(|c| c.name.as_str()).collect();
        assert_eq!(names, ["early", "late", "goal threat"]);
        assert_eq!(clusters.nearest(features(16, 0, false)), 0);
        assert_eq!(clusters.nearest(features(8, 5, false)), 1);
        assert_eq!(clusters.nearest(features(8, 5, true)), 2);
        let shares: f64 = clusters.all().iter().map(|cluster| cluster.share).sum();
        assert!((shares - 1.0).abs() < 1e-9);
    }

    #[test]
    fn names_follow_the_order_of_a_game() {
        let cluster = |pieces, goal_threat| Cluster {
            name: String::new(),
            pieces,
            advanced: 2.0,
            goal_threat,
            share: 0.1,
        };
        let named = |mut clusters: Vec<Cluster>| {
            name(&mut clusters);
            let names: Vec<String> = clusters.into_iter().map(|c| c.name).collect();
            names.join(", ")
        };
        let (a, b, c, d) = (16.0, 14.0, 12.0, 8.0);
        assert_eq!(named(vec![cluster(a, 0.1)]), "quiet");
        assert_eq!(
            named(vec![
                cluster(c, 0.0),
                cluster(d, 1.0),
                cluster(a, 0.0),
                cluster(b, 0.0)
            ]),
            "early, middle, late, goal threat"
        );
        let many = [(d, 1.0), (d, 0.0), (b, 0.0), (a, 1.0), (a, 0.0), (c, 0.0)];
        assert_eq!(
            named(
                many.map(|(pieces, threat)| cluster(pieces, threat))
                    .to_vec()
            ),
            "early, middle 1, middle 2, late, goal threat 1, goal threat 2"
        );
    }

    #[test]
    fn chances_agree_with_the_nearest_and_add_up() {
        let clusters = found();
        for features in [
            features(16, 0, false),
            features(8, 5, false),
            features(6, 6, true),
        ] {
            let chances = clusters.chances(features);
            assert!((chances.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            let nearest = clusters.nearest(features);
            assert!(chances.iter().all(|chance| *chance <= chances[nearest]));
        }
    }

    #[test]
    fn a_file_survives_and_bad_ones_are_refused() {
        let clusters = found();
        let read = Clusters::parse(&clusters.to_text()).expect("a file");
        assert_eq!(read.file, clusters.file);
        assert_eq!(read.nearest, clusters.nearest);
        let newer = clusters
            .to_text()
            .replace("\"version\": 1", "\"version\": 7");
        assert!(matches!(
            Clusters::parse(&newer),
            Err(ClustersError::Version(7))
        ));
        let other = clusters.to_text().replace(FORMAT, "recipes");
        for text in ["", "{}", "[1]", &other] {
            let refused = Clusters::parse(text);
            assert!(
                matches!(refused, Err(ClustersError::Unreadable(_))),
                "{text}"
            );
        }
        let odd = clusters
            .to_text()
            .replacen("\"variance\": ", "\"variance\": -", 1);
        assert!(Clusters::parse(&odd).is_err());
    }

    #[test]
    fn the_shipped_clusters_can_be_read() {
        let shipped = Clusters::shipped().expect("readable");
        assert_eq!(shipped.all().len(), 3);
    }

    #[test]
    fn fewer_points_give_the_same_picture() {
        let few = Clusters::find(
            &boards(),
            &XMeans {
                maximum: 3,
                ..XMeans::default()
            },
            200,
            String::new(),
        );
        let (few, groups) = few.expect("clusters");
        assert!(groups.sizes.iter().sum::<usize>() < 300);
        assert_eq!(few.all().len(), 3);
    }
}
